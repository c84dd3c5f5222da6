/** Calls at once, then at most once per interval, and once more for what came in between. */
export function throttled(work: () => void, intervalMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  return function call() {
    if (timer) {
      again = true;
      return;
    }
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (!again) return;
      again = false;
      call();
    }, intervalMs);
  };
}
