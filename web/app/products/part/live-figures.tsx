import { formatPieces } from '@parts-forge/contract/money/money';
import { useEffect, useRef, useState } from 'react';
import type { LiveState } from './product-stream.ts';

const MARKED_MS = 2_000;
/** Minimum time between announcements: a lively stock must not talk all the time. */
const QUIET_MS = 5_000;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Says that the figures are live, or since when they may be stale. */
export function LiveMark({ connection, lostAt }: Pick<LiveState, 'connection' | 'lostAt'>) {
  if (connection === 'off') return null;
  return (
    <span className="pf-live num" data-live={connection === 'live'}>
      {connection === 'live' || lostAt === null ? 'Live' : `As of ${clock.format(lostAt)}`}
    </span>
  );
}

/** Underlined for a moment after a change. Nothing moves. */
export function ChangingFigure({ text }: { text: string }) {
  const isMarked = useHasChanged(text);
  return <span className={isMarked ? 'pf-changed' : undefined}>{text}</span>;
}

function useHasChanged(value: string): boolean {
  const [shown, setShown] = useState(value);
  const hasChanged = shown !== value;
  useEffect(() => {
    if (!hasChanged) return;
    const timer = setTimeout(() => setShown(value), MARKED_MS);
    return () => clearTimeout(timer);
  }, [hasChanged, value]);
  return hasChanged;
}

/** For screen readers, at most once in five seconds. */
export function StockAnnouncement({ stock }: { stock: number }) {
  const [said, setSaid] = useState({ stock, text: '' });
  const saidAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (said.stock === stock) return;
    const timer = setTimeout(
      () => {
        saidAt.current = performance.now();
        setSaid({ stock, text: `${formatPieces(stock)} in stock now.` });
      },
      Math.max(0, saidAt.current + QUIET_MS - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [stock, said.stock]);
  return (
    <p className="sr-only" aria-live="polite">
      {said.text}
    </p>
  );
}
