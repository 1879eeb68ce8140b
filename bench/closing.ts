/** Open things, in opening order. */
const open = new Set<() => Promise<void>>();

/**
 * An interrupted bench cleans up, too.
 * @returns the clean-up, which runs once
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

/** Latest first. A failure does not stop the rest. */
export async function closeEverything(): Promise<void> {
  for (const close of [...open].reverse()) {
    await close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }
}
