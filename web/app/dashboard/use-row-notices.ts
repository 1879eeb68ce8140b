import { useState } from 'react';
import { describeError, getRetryAfterSeconds } from '#app/errors/describe-error.ts';

/** What stands in the place of a row whose order could not be changed. */
export interface RowNotice<Row> {
  row: Row;
  text: string;
}

/**
 * The rows of a list with the notices about refused ones (docs/design.md, "Refusals"). A row that the reloaded list
 * no longer has comes back as its notice, where it was.
 */
export function useRowNotices<Row extends { _id: string; createdAt: string }>() {
  const [notices, setNotices] = useState<ReadonlyMap<string, RowNotice<Row>>>(new Map());
  return {
    noticeOf: (row: Row) => notices.get(row._id)?.text ?? null,
    refuse: (row: Row, error: unknown) =>
      setNotices((before) => new Map(before).set(row._id, { row, text: inWords(error) })),
    dismiss: (row: Row) => setNotices((before) => new Map([...before].filter(([id]) => id !== row._id))),
    withNotices: (rows: readonly Row[]): readonly Row[] => {
      const gone = [...notices.values()].filter(({ row }) => !rows.some((each) => each._id === row._id));
      if (gone.length === 0) return rows;
      // Lists are newest first.
      return [...rows, ...gone.map(({ row }) => row)].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    },
  };
}

function inWords(error: unknown): string {
  const wait = getRetryAfterSeconds(error);
  return wait === null ? describeError(error) : `${describeError(error)} Try again in ${wait} seconds.`;
}
