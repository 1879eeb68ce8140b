/**
 * Calls that come while `run` is at work wait and then run together, once; each caller waits for the run that has
 * its items. A failed run fails for its callers alone.
 */
export function batchCalls<Item>(
  run: (items: ReadonlySet<Item>) => Promise<void>,
): (items: readonly Item[]) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: { items: Set<Item>; done: Promise<void> } | null = null;
  return (items) => {
    if (!next) {
      const batch = { items: new Set<Item>(), done: Promise.resolve() };
      batch.done = last.then(() => {
        next = null;
        return run(batch.items);
      });
      last = batch.done.catch(() => {});
      next = batch;
    }
    for (const item of items) next.items.add(item);
    return next.done;
  };
}
