/** After a failure the next call retries. */
export function openOnce<T>(open: () => Promise<T>): { (): Promise<T>; hasFailed(): boolean } {
  let opening: Promise<T> | null = null;
  let hasFailed = false;
  const openOrWait = () => {
    opening ??= open().then(
      (opened) => {
        hasFailed = false;
        return opened;
      },
      (error: unknown) => {
        opening = null;
        hasFailed = true;
        throw error;
      },
    );
    return opening;
  };
  return Object.assign(openOrWait, { hasFailed: () => hasFailed });
}
