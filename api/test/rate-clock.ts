import { onTestFinished, vi } from 'vitest';

/** Stops the clock of rate limits until the test ends, so that slow machines start no second window. */
export function stopRateClock(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
}
