import { describe, expect, test } from 'vitest';
import { Problem } from '#src/platform/core/problem.ts';
import { type CursorPart, type CursorShape, readCursor, writeCursor } from './cursor.ts';

const at = '2026-11-21T22:06:46.123Z';
const id = '019a0b1c-2d3e-7f45-8a67-89abcdef0123';

/** The decoded sort key, or the code of the refusal. */
function read(cursor: string, shape: CursorShape): readonly CursorPart[] | string | null {
  try {
    return readCursor(cursor, shape);
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}
/** Encodes any JSON as a cursor. */
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a cursor is the sort key in an opaque form', () => {
  const cursor = writeCursor([at, id]);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(readCursor(cursor, ['instant', 'id'])).toEqual([at, id]);
  expect(readCursor(writeCursor(['Écran', id]), ['text', 'id'])).toEqual(['Écran', id]);
});

test('an absent cursor means the first page', () => {
  expect(readCursor(undefined, ['instant', 'id'])).toBeNull();
});

test.each([
  ['instant', at],
  ['instant', '0001-01-01T00:00:00.000Z'],
  ['id', id],
  ['id', id.toUpperCase()],
  ['text', ''],
  ['text', 'x'.repeat(500)],
  ['integer', 0],
  ['integer', 2_147_483_647],
  ['integer', -2_147_483_647],
] as const)('a cursor part of kind %s may be %j', (kind, part) => {
  expect(read(encode([part]), [kind])).toEqual([part]);
});

describe('forged cursor', () => {
  test.each([
    ['instant', 7],
    ['instant', ''],
    ['instant', '2026-11-21'],
    ['instant', '2026-11-21T22:06:46Z'],
    ['instant', '2026-11-21T22:06:46.1234Z'],
    ['instant', '2026-11-21T22:06:46.123'],
    ['instant', '2026-11-21T22:06:46.123+00:00'],
    ['instant', `x${at}`],
    ['instant', `${at}x`],
    ['instant', `${at}\n`],
    ['instant', '2026-13-21T22:06:46.123Z'],
    ['instant', '2026-11-21T25:06:46.123Z'],
    ['instant', 'xxxx-11-21T22:06:46.123Z'],
    ['instant', '12026-11-21T22:06:46.123Z'],
    ['instant', '2026-1-21T22:06:46.123Z'],
    ['instant', '2026-xx-21T22:06:46.123Z'],
    ['instant', null],
    ['instant', [at]],
    ['instant', `+00${at}`],
    ['instant', `+01${at}`],
    ['instant', '-000001-01-01T00:00:00.000Z'],
    ['id', 'x'],
    ['id', 7],
    ['id', `${id}0`],
    ['id', [id]],
    ['text', 7],
    ['text', null],
    ['text', 'a\u0000b'],
    ['text', ['a']],
    ['integer', 1.5],
    ['integer', '1'],
    ['integer', 2_147_483_648],
    ['integer', -2_147_483_648],
    ['integer', null],
  ] as const)('a cursor part of kind %s cannot be %j', (kind, part) => {
    expect(read(encode([part]), [kind])).toBe('invalid');
  });

  test.each([
    ['of a shorter sort key', encode([at])],
    ['of a longer sort key', encode([at, id, id])],
    ['of another order of rows', encode([7, id])],
    ['with one wrong part', encode([at, 'x'])],
    ['that is a text', encode('x')],
    ['that is an object', encode({ 0: at, 1: id, length: 2 })],
    ['that is nothing', encode(null)],
    ['that is empty', ''],
    ['that is no JSON', 'nonsense'],
  ])('a cursor %s is refused', (_what, cursor) => {
    expect(read(cursor, ['instant', 'id'])).toBe('invalid');
  });

  test('the refusal of a cursor explains itself in words', () => {
    expect(() => readCursor('nonsense', ['id'])).toThrow(
      expect.objectContaining({
        extras: {
          detail: 'Must be a cursor of a previous answer',
          errors: [{ path: 'after', message: 'Must be a cursor of a previous answer' }],
        },
      }),
    );
  });
});
