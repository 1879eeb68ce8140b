/** Counts what is open, for each key and together. */
export function createTally() {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    get total() {
      return total;
    },
    of: (key: string): number => counts.get(key) ?? 0,
    /** Call the returned function once, at the end. */
    enter(key: string): () => void {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      total += 1;
      return () => {
        const left = (counts.get(key) ?? 1) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
        total -= 1;
      };
    },
  };
}
