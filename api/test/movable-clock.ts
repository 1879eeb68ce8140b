import type { Clock } from '#src/platform/core/clock.ts';

/** The system's clock, moved ahead by a test. */
export interface MovableClock extends Clock {
  aheadMs: number;
}

export function createMovableClock(): MovableClock {
  const clock = { aheadMs: 0, now: () => new Date(Date.now() + clock.aheadMs) };
  return clock;
}
