import { MAX_CHOSEN_ORDERS } from '@parts-forge/contract/bounds';
import { useRef, useState } from 'react';
import { useDraft } from '#app/forms/use-draft.ts';

export interface Choice<Row> {
  /** Also rows that are not listed now. */
  rows: readonly Row[];
  has: (row: Row) => boolean;
  /** With `extend` also the listed rows since the last one. */
  toggle: (row: Row, extend?: boolean) => void;
  set: (rows: readonly Row[]) => void;
  clear: () => void;
}

/**
 * Survives paging, filters, navigation and reloads of the tab, until the row's state changes.
 * @param name of the list in the tab's storage
 * @param email of the person
 * @param getState such as the status of an order
 */
export function useChoice<Row extends { _id: string }>(
  name: string,
  email: string,
  listed: readonly Row[],
  getState: (row: Row) => string = () => '',
): Choice<Row> {
  const [kept, setKept] = useState<readonly Row[]>([]);
  const last = useRef<string | null>(null);
  useDraft(name, email, {
    read: () => ({ rows: kept }),
    initial: { rows: [] },
    restore: ({ rows = [] }) => setKept(rows),
  });
  const rows = kept.flatMap((row) => {
    const now = listed.find(({ _id }) => _id === row._id) ?? row;
    return getState(now) === getState(row) ? [now] : [];
  });
  const has = ({ _id }: Row) => rows.some((row) => row._id === _id);
  const set = (next: readonly Row[]) => setKept(next.slice(0, MAX_CHOSEN_ORDERS));
  return {
    rows,
    has,
    set,
    clear: () => setKept([]),
    toggle: (row, extend = false) => {
      const range = extend ? findRange(listed, last.current, row) : [row];
      last.current = row._id;
      const ids = new Set(range.map(({ _id }) => _id));
      const others = rows.filter(({ _id }) => !ids.has(_id));
      set(has(row) ? others : [...others, ...range]);
    },
  };
}

function findRange<Row extends { _id: string }>(
  listed: readonly Row[],
  from: string | null,
  row: Row,
): readonly Row[] {
  const ends = [from, row._id].map((id) => listed.findIndex(({ _id }) => _id === id));
  const [first, end] = [Math.min(...ends), Math.max(...ends)];
  return first < 0 ? [row] : listed.slice(first, end + 1);
}
