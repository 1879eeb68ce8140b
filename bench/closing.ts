/** What is open now, in the order it was opened. */
const open = new Set<() => Promise<void>>();

/**
 * Remembers how to close something, so that an interrupted bench leaves nothing behind either.
 * @returns the same as a function that may be called more than once
 */
export function closing(close: () => Promise<void>): () => Promise<void> {
  let isClosed: Promise<void> | undefined;
  const once = () => {
    isClosed ??= close().finally(() => open.delete(once));
    return isClosed;
  };
  open.add(once);
  return once;
}

/** Closes everything that is still open, the latest first. What cannot be closed does not stop the rest. */
export async function closeEverything(): Promise<void> {
  for (const close of [...open].reverse()) {
    await close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }
}
