import { useEffect, useState } from 'react';

/**
 * Whole seconds that are left of a wait, counted down once a second; 0 when there is none or it is over.
 * @param seconds how long to wait; null for not at all
 * @param reason what the wait is for, by identity: a new one starts a new wait, also of the same length
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
