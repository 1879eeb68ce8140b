import { MAX_CHOSEN_ORDERS } from '@parts-forge/contract/calls/bounds';
import { useRef, useState } from 'react';
import { useDraft } from '#app/forms/use-draft.ts';

export type Choice<Row extends { _id: string }> = ReturnType<typeof useChoice<Row>>;
/** The part that a table needs. */
export interface RowChoice<Row> {
  has: (row: Row) => boolean;
  /** Of a row that stands for several: whether some are chosen. */
  isMixed?: (row: Row) => boolean;
  add: (rows: readonly Row[]) => void;
  drop: (rows: readonly Row[]) => void;
  toggle: (row: Row, extend?: boolean) => void;
}

interface ChoiceOptions<Row> {
  /** Names the list in the tab's storage. */
  name: string;
  email: string;
  /** The list's filter without its sort: another one drops the choice. */
  filter: unknown;
  /** Undefined while they load. */
  listed: readonly Row[] | undefined;
  /** Whether matching rows are not listed yet. */
  hasMore: boolean;
  /** Whether a listed row stands for this one, too. */
  isWithin?: (row: Row) => boolean;
  /** Such as the status of an order: another one drops the row. */
  getState?: (row: Row) => string;
  /** Without what the tab's storage must not have, such as an address. */
  toStored?: (row: Row) => Row;
}

/** Survives paging, reloads and a way back, as long as the row can be seen in the list. */
export function useChoice<Row extends { _id: string }>(options: ChoiceOptions<Row>) {
  const { name, email, hasMore, isWithin, getState = () => '', toStored = (row) => row } = options;
  const filter = JSON.stringify(options.filter);
  const [kept, setAll] = useState({ filter, rows: [] as readonly Row[], dropped: 0 });
  if (kept.filter !== filter) setAll({ filter, rows: [], dropped: kept.rows.length || kept.dropped });
  const setKept = (change: (before: readonly Row[]) => readonly Row[]) =>
    setAll((before) => ({ ...before, rows: change(before.rows), dropped: 0 }));
  const last = useRef<string | null>(null);
  useDraft(name, email, {
    read: () => ({ filter, rows: kept.rows.map(toStored) }),
    initial: { filter, rows: [] },
    restore: ({ filter: before = filter, rows = [] }) => setAll({ filter: before, rows, dropped: 0 }),
  });
  const listed = options.listed ?? [];
  const rows = kept.rows.flatMap((row) => {
    const now = listed.find(({ _id }) => _id === row._id);
    if (now === undefined) return options.listed === undefined || hasMore || isWithin?.(row) ? [row] : [];
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
    /** Those below the listed ones, too. */
    rows,
    /** How many another filter dropped last. */
    dropped: kept.dropped,
    has,
    /** At most `MAX_CHOSEN_ORDERS` in all. */
    add,
    drop,
    clear: () => setKept(() => []),
    /** With `extend` also the listed rows since the last one. */
    toggle: (row: Row, extend = false, to: Omit<RowChoice<Row>, 'toggle'> = { has, add, drop }) => {
      const range = extend ? findRange(listed, last.current, row) : [row];
      last.current = row._id;
      if (to.has(row)) to.drop(range);
      else to.add(range);
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
