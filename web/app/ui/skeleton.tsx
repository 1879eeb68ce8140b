import { useEffect, useRef, useState } from 'react';

/** A grey block in the size of what will stand there; sizes come as classes. Hide it, or its list, from assistive technology. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div className={`skeleton ${className}`} aria-hidden="true" />;
}

const SHOW_AFTER_MS = 150;
const STAY_MS = 300;

/**
 * Whether to show skeletons for something that is loading: not before 150 ms, then for at least 300 ms, so
 * that nothing flickers.
 */
export function useSkeleton(loading: boolean): boolean {
  const [shown, setShown] = useState(false);
  const changedAt = useRef(0);
  useEffect(() => {
    if (loading === shown) return;
    const waitMs = loading ? SHOW_AFTER_MS : Math.max(0, changedAt.current + STAY_MS - performance.now());
    const timer = setTimeout(() => {
      changedAt.current = performance.now();
      setShown(loading);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [loading, shown]);
  return shown;
}
