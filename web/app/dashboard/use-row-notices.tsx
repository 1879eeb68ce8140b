import { type ReactNode, useState } from 'react';
import { describeWithWait, getRequestId } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import { putBack } from './put-back.ts';
import { RowNotice } from './row-notice.tsx';

type Listed = { _id: string; createdAt: string };
export type RowNotices<Row extends Listed> = ReturnType<typeof useRowNotices<Row>>;

/** A row that the reloaded list lacks stays as its notice until dismissed. */
export function useRowNotices<Row extends Listed>() {
  const [notices, setNotices] = useState<
    ReadonlyMap<string, { row: Row; error: unknown; isOneOfMany: boolean }>
  >(new Map());
  const add = (row: Row, error: unknown, isOneOfMany: boolean) =>
    setNotices((before) => new Map(before).set(row._id, { row, error, isOneOfMany }));
  const dismiss = (row: Row) => setNotices((before) => new Map([...before].filter(([id]) => id !== row._id)));
  return {
    /** Replaces the row with the failure. The notice takes the focus. */
    add: (row: Row, error: unknown) => add(row, error, false),
    /** Of an act on many rows: the focus stays. */
    addOneOfMany: (row: Row, error: unknown) => add(row, error, true),
    has: (matches: (row: Row) => boolean) => [...notices.values()].some(({ row }) => matches(row)),
    /** Null for none. @param label names the row at the start of the notice */
    render: (row: Row, label: ReactNode) => {
      const notice = notices.get(row._id);
      if (!notice) return null;
      return (
        <RowNotice takesFocus={!notice.isOneOfMany} onDismiss={() => dismiss(row)}>
          <span className="font-medium">{label}</span>: {describeWithWait(notice.error)}
          <Reference id={getRequestId(notice.error)} />
        </RowNotice>
      );
    },
    /** Adds rows with a notice that the reloaded list lacks. */
    withNotices: (rows: readonly Row[]) =>
      putBack(
        rows,
        [...notices.values()].map(({ row }) => row),
      ),
  };
}
