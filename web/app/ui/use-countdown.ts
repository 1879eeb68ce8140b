import { useEffect, useState } from 'react';

/**
 * The seconds left of a wait, or 0.
 * @param seconds null for no wait
 * @param reason a new identity restarts the wait
 */
export function useCountdown(seconds: number | null, reason: unknown): number {
  const [secondsLeft, setSecondsLeft] = useState(seconds ?? 0);
  const [currentReason, setCurrentReason] = useState(reason);
  if (currentReason !== reason) {
    setCurrentReason(reason);
    setSecondsLeft(seconds ?? 0);
  }
  useEffect(() => {
    if (secondsLeft <= 0) return;
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1000);
    return () => clearTimeout(timer);
  }, [secondsLeft]);
  return secondsLeft;
}
