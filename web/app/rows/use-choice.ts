import { MAX_CHOSEN_ORDERS } from '@parts-forge/contract/bounds';
import { useRef, useState } from 'react';
import { useDraft } from '#app/forms/use-draft.ts';

export type Choice<Row extends { _id: string }> = ReturnType<typeof useChoice<Row>>;

/**
 * Survives paging, filters, navigation and reloads of the tab, until the row's state changes.
 * @param name of the list in the tab's storage
 * @param email of the person
 * @param getState such as the status of an order
 * @param toStored without what the tab's storage must not have, such as an address
 */
export function useChoice<Row extends { _id: string }>(
  name: string,
  email: string,
  listed: readonly Row[],
  getState: (row: Row) => string = () => '',
  toStored: (row: Row) => Row = (row) => row,
) {
  const [kept, setKept] = useState<readonly Row[]>([]);
  const last = useRef<string | null>(null);
  useDraft(name, email, {
    read: () => ({ rows: kept.map(toStored) }),
    initial: { rows: [] },
    restore: ({ rows = [] }) => setKept(rows),
  });
  const rows = kept.flatMap((row) => {
    const now = listed.find(({ _id }) => _id === row._id) ?? row;
    return getState(now) === getState(row) ? [now] : [];
  });
  const has = ({ _id }: Row) => rows.some((row) => row._id === _id);
  // By the latest choice, as an act may answer a minute later.
  const drop = (gone: readonly { _id: string }[]) => {
    const ids = new Set(gone.map(({ _id }) => _id));
    setKept((before) => before.filter(({ _id }) => !ids.has(_id)));
  };
  const add = (more: readonly Row[]) => {
    const ids = new Set(more.map(({ _id }) => _id));
    setKept((before) => [...before.filter(({ _id }) => !ids.has(_id)), ...more].slice(0, MAX_CHOSEN_ORDERS));
  };
  return {
    /** Also rows that are not listed now. */
    rows,
    has,
    /** At most `MAX_CHOSEN_ORDERS` in all. */
    add,
    drop,
    clear: () => setKept([]),
    /** With `extend` also the listed rows since the last one. */
    toggle: (row: Row, extend = false) => {
      const range = extend ? findRange(listed, last.current, row) : [row];
      last.current = row._id;
      if (has(row)) drop(range);
      else add(range);
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
