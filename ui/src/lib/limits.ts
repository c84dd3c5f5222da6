/** The limits of a search as a person types them. */

/** Reads a distance with a point or a comma; `null` for no limit, undefined when it is none. */
export function readDistance(typed: string): number | null | undefined {
  if (!typed.trim()) return null;
  const value = Number(typed.trim().replace(',', '.'));
  return value >= 0 && value <= 2 ? value : undefined;
}

/** Reads a number of passages; undefined when it is none. */
export function readTopK(typed: string): number | undefined {
  const value = Number(typed.trim() || NaN);
  return Number.isInteger(value) && value >= 1 && value <= 50 ? value : undefined;
}
