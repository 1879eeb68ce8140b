/** Detects lost notifications by missing sequence numbers. Rollbacks and long transactions count too. */
export function createGapWatch() {
  let settled: number | null = null;
  /** The last number at the previous look: it must arrive by the next. */
  let expected = 0;
  /** Numbers above `settled` that have arrived. */
  const received = new Set<number>();

  function begin(lastTaken: number): void {
    settled = lastTaken;
    expected = lastTaken;
    received.clear();
  }

  return {
    receive(number: number): void {
      if (settled === null || number > settled) received.add(number);
    },
    /**
     * @param lastTaken 0 for none
     * @returns whether a change may have been missed
     */
    look(lastTaken: number): boolean {
      // A restored database or a new primary may have lower numbers.
      const wentBack = settled !== null && lastTaken < expected;
      if (settled === null || wentBack) {
        begin(lastTaken);
        return wentBack;
      }
      const inTime = [...received].filter((number) => number <= expected);
      const isMissing = inTime.length < expected - settled;
      for (const number of inTime) received.delete(number);
      settled = expected;
      expected = lastTaken;
      return isMissing;
    },
    reset(): void {
      settled = null;
      received.clear();
    },
  };
}
