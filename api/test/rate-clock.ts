import { onTestFinished, vi } from 'vitest';

/** Stops the clock of the limits on rates until the test ends: however slow the machine, no second window begins. */
export function stopRateClock(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
}
