/**
 * Detects lost notifications. A change takes a number from a sequence in its transaction and is published
 * with it. A number taken before the previous look and still not received may be a rollback, a long
 * transaction or a dead publisher. These cases look alike, so all count as missed.
 */
export interface GapWatch {
  hear(number: number): void;
  /**
   * Call it regularly with the last number taken; 0 for none.
   * @returns whether a change may have been missed
   */
  look(lastTaken: number): boolean;
  /** Starts over, as after a broken connection. */
  reset(): void;
}

export function createGapWatch(): GapWatch {
  /** All numbers up to this one are settled; null before the first look. */
  let settled: number | null = null;
  /** The last number taken at the previous look: it must have arrived by the next. */
  let expected = 0;
  /** Received numbers above `settled`. */
  const heard = new Set<number>();

  function begin(lastTaken: number): void {
    settled = lastTaken;
    expected = lastTaken;
    heard.clear();
  }

  return {
    hear(number) {
      if (settled === null || number > settled) heard.add(number);
    },
    look(lastTaken) {
      // A restored database or a new primary may have lower numbers.
      const isBehind = settled !== null && lastTaken < expected;
      if (settled === null || isBehind) {
        begin(lastTaken);
        return isBehind;
      }
      const inTime = [...heard].filter((number) => number <= expected);
      const isMissing = inTime.length < expected - settled;
      for (const number of inTime) heard.delete(number);
      settled = expected;
      expected = lastTaken;
      return isMissing;
    },
    reset() {
      settled = null;
      heard.clear();
    },
  };
}
