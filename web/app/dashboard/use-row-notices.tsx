import { type ReactNode, useState } from 'react';
import { describeError, getRequestId, getRetryAfterSeconds } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import { RowNotice } from './row-notice.tsx';

/** The notices among the rows of a list. */
export interface RowNotices<Row> {
  /**
   * Puts a notice about why the row could not be changed in the row's place. It takes the focus, unless it is one of many.
   */
  add: (row: Row, error: unknown, isOneOfMany?: boolean) => void;
  /**
   * The row's notice; null for none.
   * @param label names the row at the beginning of the notice
   */
  render: (row: Row, label: ReactNode) => ReactNode;
  /** The rows, and those with a notice that the reloaded list no longer has, where they were. */
  withNotices: (rows: readonly Row[]) => readonly Row[];
}

/**
 * The notices about rows that could not be changed. The list is reloaded meanwhile; a row that it no longer has
 * comes back as its notice, until that is dismissed.
 */
export function useRowNotices<Row extends { _id: string; createdAt: string }>(): RowNotices<Row> {
  const [notices, setNotices] = useState<
    ReadonlyMap<string, { row: Row; error: unknown; isOneOfMany: boolean }>
  >(new Map());
  const dismiss = (row: Row) => setNotices((before) => new Map([...before].filter(([id]) => id !== row._id)));
  return {
    add: (row, error, isOneOfMany = false) =>
      setNotices((before) => new Map(before).set(row._id, { row, error, isOneOfMany })),
    render: (row, label) => {
      const notice = notices.get(row._id);
      if (!notice) return null;
      return (
        <RowNotice takesFocus={!notice.isOneOfMany} onDismiss={() => dismiss(row)}>
          <span className="font-medium">{label}</span>: {describeWithWait(notice.error)}
          <Reference id={getRequestId(notice.error)} />
        </RowNotice>
      );
    },
    withNotices: (rows) => {
      const missing = [...notices.values()].filter(({ row }) => !rows.some(({ _id }) => _id === row._id));
      if (missing.length === 0) return rows;
      // Lists are newest first.
      return [...rows, ...missing.map(({ row }) => row)].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    },
  };
}

function describeWithWait(error: unknown): string {
  const seconds = getRetryAfterSeconds(error);
  return seconds === null ? describeError(error) : `${describeError(error)} Try again in ${seconds} seconds.`;
}
