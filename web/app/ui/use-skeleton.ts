import { useEffect, useLayoutEffect, useRef, useState } from 'react';

const SHOW_AFTER_MS = 150;
const STAY_MS = 300;

/** After 150 ms, then for at least 300 ms, so that nothing flickers. */
export function useSkeleton(loading: boolean): boolean {
  const [isDue, setDue] = useState(false);
  const wasShown = useRef(false);
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
  // Content that arrives as its skeleton is due is already shown, and must not disappear. Not a state, whose
  // render could come after the content's.
  const isShown = isDue && (loading || wasShown.current);
  useLayoutEffect(() => {
    wasShown.current = isShown;
  });
  return isShown;
}
