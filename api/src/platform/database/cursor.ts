import { idPattern } from '@parts-forge/contract/text';
import { invalidField } from '#src/platform/core/problem.ts';

export type CursorPart = string | number;

const cursorShapes = {
  instant: (part: unknown) => typeof part === 'string' && isInstant(part),
  id: (part: unknown) => typeof part === 'string' && idPattern.test(part),
  text: (part: unknown) => typeof part === 'string' && !part.includes('\u0000'),
  integer: (part: unknown) => Number.isInteger(part) && Math.abs(part as number) < 2 ** 31,
};
/** PostgreSQL's calendar has no year 0, and no day that JavaScript would count on into the next month. */
function isInstant(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

/** What a sort key is made of. */
export type CursorShape = readonly (keyof typeof cursorShapes)[];

/**
 * The sort key behind `?after=`; null when there is none.
 * @throws Problem `invalid` for a cursor that no answer of this list gave out
 */
export function readCursor(after: string | undefined, shape: CursorShape): CursorPart[] | null {
  if (after === undefined) return null;
  const parts = parseCursor(after);
  if (parts?.length === shape.length && shape.every((kind, index) => cursorShapes[kind](parts[index]))) {
    return parts as CursorPart[];
  }
  throw invalidField('after', 'Must be a cursor of a previous answer');
}

function parseCursor(after: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(after, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}

/** The sort key as `?after=` carries it. */
export const writeCursor = (key: readonly CursorPart[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url');
