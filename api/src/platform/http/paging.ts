import { COUNTED_TO } from '@parts-forge/contract/paging';
import { idPattern } from '@parts-forge/contract/text';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidField } from './problem.ts';

/** One page of a list: the rows, the sort key of the last one when more follow, and how many match in all. */
export interface Page<Row> {
  rows: Row[];
  /** Null on the last page. */
  next: readonly CursorPart[] | null;
  /** Matches, counted to `COUNTED_TO` + 1 at most. */
  total: number;
}

export type CursorPart = string | number;

const cursorShapes = {
  instant: (part: unknown) =>
    typeof part === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(part) &&
    !Number.isNaN(Date.parse(part)),
  id: (part: unknown) => typeof part === 'string' && idPattern.test(part),
  text: (part: unknown) => typeof part === 'string' && part.length <= 500 && !part.includes('\u0000'),
  integer: (part: unknown) => Number.isInteger(part) && Math.abs(part as number) < 2 ** 31,
};
/** What a sort key is made of. */
export type CursorShape = readonly (keyof typeof cursorShapes)[];

/**
 * The sort key behind `?after=`; null when there is none.
 * @throws Problem `invalid` for a cursor that no answer of this list gave out
 */
export function readCursor(after: string | undefined, shape: CursorShape): CursorPart[] | null {
  if (after === undefined) return null;
  const parts = parsedCursor(after);
  if (parts?.length === shape.length && shape.every((kind, index) => cursorShapes[kind](parts[index]))) {
    return parts as CursorPart[];
  }
  throw invalidField('after', 'Must be a cursor of a previous answer');
}

function parsedCursor(after: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(after, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}

/** Splits one row too many off, which tells whether another page follows. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  total: number,
  key: (row: Row) => CursorPart[],
): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last !== undefined ? key(last) : null, total };
}

/** `Link` and `X-Total-Count` of a page (contract, "Ground rules"). The link is a relative reference. */
export function pageHeaders(url: string, page: Page<unknown>): Record<string, string> {
  const headers: Record<string, string> = {
    'x-total-count': page.total > COUNTED_TO ? `${COUNTED_TO}+` : String(page.total),
  };
  if (page.next) {
    const [path = '', query = ''] = url.split('?');
    const next = new URLSearchParams(query);
    next.set('after', Buffer.from(JSON.stringify(page.next)).toString('base64url'));
    headers.link = `<${path}?${next}>; rel="next"`;
  }
  return headers;
}

export function sendPageHeaders(request: FastifyRequest, reply: FastifyReply, page: Page<unknown>): void {
  reply.headers(pageHeaders(request.url, page));
}
