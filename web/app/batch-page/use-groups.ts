import { useEffect, useRef, useState } from 'react';
import type { LineOnPage } from './use-batch-lines.ts';
import type { Kept, UnreadLine } from './use-list.ts';

/** A line of the batch, or a line of the list that was not read. `number` is its place in the list, or 0. */
export type Entry = { number: number; row: LineOnPage } | { number: number; unread: UnreadLine };

export interface Groups {
  toDecide: readonly Entry[];
  ready: readonly Entry[];
}

export const isReady = (entry: Entry): boolean => 'row' in entry && entry.row.problem === null;

/** Parts of the list; those without an entry are left out. */
export function listTabs({ toDecide, ready }: Groups) {
  const isChanged = (entry: Entry) => 'row' in entry && entry.row.formerCents !== null;
  const changed = { toDecide: toDecide.filter(isChanged), ready: ready.filter(isChanged) };
  const tabs = [
    { value: '', name: 'All', groups: { toDecide, ready } },
    { value: 'to-decide', name: 'to decide', groups: { toDecide, ready: [] } },
    { value: 'ready', name: 'ready', groups: { toDecide: [], ready } },
    { value: 'price-changed', name: 'price changed', groups: changed },
  ];
  return tabs
    .map((tab) => ({ ...tab, count: tab.groups.toDecide.length + tab.groups.ready.length }))
    .filter(({ value, count }) => value === '' || count > 0);
}

/**
 * In the order of the list; lines from before come first. Without a list, numbers count the lines. A row keeps
 * its group while it has the focus, as a moved one would lose it.
 */
export function useGroups(rows: readonly LineOnPage[], { list, unread }: Kept): Groups {
  const held = useHeld(rows);
  const numbers = new Map(list?.lines.map(({ productId, line }) => [productId, line]));
  const entries: Entry[] = [
    ...rows.map((row, index) => ({ row, number: list ? (numbers.get(row.product._id) ?? 0) : index + 1 })),
    ...unread.map((line) => ({ unread: line, number: line.line })),
  ];
  entries.sort((a, b) => a.number - b.number);
  const isShownReady = (entry: Entry) =>
    ('row' in entry ? held.get(entry.row.product._id) : null) ?? isReady(entry);
  return {
    toDecide: entries.filter((entry) => !isShownReady(entry)),
    ready: entries.filter(isShownReady),
  };
}

/** Whether rows are shown as ready, by part, from their focus on. A press must end before rows move below it. */
function useHeld(rows: readonly LineOnPage[]): ReadonlyMap<string, boolean> {
  const [held, setHeld] = useState<ReadonlyMap<string, boolean>>(new Map());
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });
  useEffect(() => {
    const findLine = () =>
      document.activeElement?.closest('[data-line]')?.getAttribute('data-line') ?? undefined;
    const hold = () => {
      const row = latest.current.find(({ product }) => product._id === findLine());
      if (row) setHeld((before) => new Map([[row.product._id, row.problem === null], ...before]));
    };
    const release = () => {
      const line = findLine();
      setHeld((before) => {
        const left = [...before].filter(([id]) => id === line);
        return left.length === before.size ? before : new Map(left);
      });
    };
    const ac = new AbortController();
    document.addEventListener('focusin', hold, ac);
    document.addEventListener('click', release, ac);
    document.addEventListener('keyup', release, ac);
    return () => ac.abort();
  }, []);
  return held;
}
