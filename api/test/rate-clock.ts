import { onTestFinished, vi } from 'vitest';

/** So that slow machines start no second window of a rate limit. */
export function stopRateClock(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
}
