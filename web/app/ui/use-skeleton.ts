import { useEffect, useRef, useState } from 'react';

const SHOW_AFTER_MS = 150;
const STAY_MS = 300;

/**
 * Whether to show skeletons for something that is loading: not before 150 ms, then for at least 300 ms, so
 * that nothing flickers.
 */
export function useSkeleton(loading: boolean): boolean {
  const [isDue, setDue] = useState(false);
  const [wasShown, setShown] = useState(false);
  const dueAt = useRef(0);
  useEffect(() => {
    if (loading === isDue) return;
    const waitMs = loading ? SHOW_AFTER_MS : Math.max(0, dueAt.current + STAY_MS - performance.now());
    const timer = setTimeout(() => {
      dueAt.current = performance.now();
      setDue(loading);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [loading, isDue]);
  useEffect(() => setShown(isDue && (loading || wasShown)), [isDue, loading, wasShown]);
  // What arrives in the very moment that its skeleton is due is shown already, and must not give way to it.
  return isDue && (loading || wasShown);
}
