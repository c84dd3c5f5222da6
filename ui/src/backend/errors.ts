/**
 * Refusals as the host sends them, and the one way to tell them from faults of our own. Anything that is no
 * refusal becomes an `internal` one, so that a screen has one kind of error to show.
 */
import type { ErrorCode, WireError } from './wire';

/** Whether a caught value is a refusal of the host. */
export function isWireError(value: unknown): value is WireError {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as WireError).code === 'string' &&
    typeof (value as WireError).message === 'string'
  );
}

/** Takes a caught value for a refusal; what is none becomes an `internal` one that keeps its words. */
export function toWireError(caught: unknown): WireError {
  if (isWireError(caught)) return caught;
  const message = caught instanceof Error ? caught.message : String(caught);
  return { code: 'internal', message };
}

/** Makes a refusal, for hosts that are written in TypeScript. */
export function refusal(code: ErrorCode, message: string, details?: unknown): WireError {
  return details === undefined ? { code, message } : { code, message, details };
}
