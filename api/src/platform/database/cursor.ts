import { idPattern } from '@parts-forge/contract/text/text';
import { invalidField } from '#src/platform/core/problem.ts';

export type CursorPart = string | number;

const cursorShapes = {
  // PostgreSQL has no year 0 and no 30 February, which `Date.parse` reads as 2 March.
  instant: (part: unknown) =>
    typeof part === 'string' &&
    /^(?!0000)\d{4}-/.test(part) &&
    !Number.isNaN(Date.parse(part)) &&
    new Date(part).toISOString() === part,
  id: (part: unknown) => typeof part === 'string' && idPattern.test(part),
  text: (part: unknown) => typeof part === 'string' && !part.includes('\u0000'),
  integer: (part: unknown) => Number.isInteger(part) && Math.abs(part as number) < 2 ** 31,
};
export type CursorShape = readonly (keyof typeof cursorShapes)[];

/** @throws Problem `invalid` for a cursor that this list never issued */
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

export const writeCursor = (key: readonly CursorPart[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url');
