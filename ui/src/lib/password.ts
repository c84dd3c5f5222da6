/** What the refusals of protected files say: whether a password would help, or nothing would. */
import type { WireError } from '../backend/wire';

type Refusal = Pick<WireError, 'code' | 'details'>;

/** Whether a password, or another one than was given, would open the file. */
export function isUnlockable(error: Refusal | null): boolean {
  if (error?.code === 'wrong_password') return true;
  return error?.code === 'password' && !isLocked(error);
}

/** Whether the file is protected in a way that cannot be read even with its password. */
export function isLocked({ code, details }: Refusal): boolean {
  return code === 'password' && (details as { canUnlock?: unknown } | undefined)?.canUnlock === false;
}
