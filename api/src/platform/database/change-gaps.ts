/**
 * Notices changes that were never told. Each takes a number from a sequence in its own transaction and is told with it;
 * a number that was taken before the last look and has not been heard of by this one is of a change that was rolled
 * back, that takes long, or whose teller died before telling. Which of them cannot be known, so all count as missed.
 */
export interface GapWatch {
  hear(number: number): void;
  /**
   * To be called again and again with the last number that was taken; 0 for none yet.
   * @returns whether a change may have been missed
   */
  look(lastTaken: number): boolean;
  /** Begins anew, as after a time in which nothing was heard. */
  reset(): void;
}

export function createGapWatch(): GapWatch {
  /** Numbers up to here are dealt with; null before the first look. */
  let settled: number | null = null;
  /** The last number that was taken at the last look: by the next one it must have been heard. */
  let expected = 0;
  /** Above `settled`. */
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
      // A database that was restored, or a standby that took over, may be behind.
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
