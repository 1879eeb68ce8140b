import { useEffect, useRef, useState } from 'react';

const SHOW_AFTER_MS = 150;
const STAY_MS = 300;

/** After 150 ms, then for at least 300 ms, so that nothing flickers. */
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
  // Content that arrives as its skeleton is due is already shown, and must not disappear.
  return isDue && (loading || wasShown);
}
