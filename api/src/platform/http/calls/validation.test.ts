import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Problem } from '#src/platform/core/problem.ts';
import { parse } from './validation.ts';

const schema = z.object({
  price: z.number('price is Required'),
  count: z.int(),
  lines: z.array(z.object({ name: z.string() })),
});

function refusal(value: unknown, asked: z.ZodMiniType = schema): Problem {
  try {
    parse(asked, value);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('It was taken.');
}

test('a valid value is returned as the schema parses it', () => {
  expect(parse(schema, { price: 1, count: 2, lines: [], more: true })).toEqual({
    price: 1,
    count: 2,
    lines: [],
  });
});

describe('violation', () => {
  test("every violation is reported, in the schema's words if any", () => {
    expect(refusal({ lines: [{ name: 'a' }, { name: 7 }] }).body).toEqual({
      type: 'urn:parts-forge:problem:invalid',
      title: 'The request is not valid',
      status: 422,
      detail: 'price is Required',
      errors: [
        { path: 'price', message: 'price is Required' },
        { path: 'count', message: 'Is required' },
        { path: 'lines.1.name', message: 'Must be of type string' },
      ],
    });
  });

  test('a violation without a field concerns the whole value', () => {
    expect(refusal(null).body).toMatchObject({
      detail: 'Must be of type object',
      errors: [{ path: '', message: 'Must be of type object' }],
    });
    expect(refusal(undefined).body.detail).toBe('Is required');
  });

  test('every unknown field of a strict object is reported', () => {
    const strict = z.object({ part: z.strictObject({ name: z.string() }) });
    expect(refusal({ part: { name: 'x', colour: 'red', size: 7 } }, strict).body.errors).toEqual([
      { path: 'part.colour', message: 'Unknown field `colour`' },
      { path: 'part.size', message: 'Unknown field `size`' },
    ]);
  });

  test('an absent value counts as missing only where a type is expected', () => {
    const choice = z.object({ sort: z.enum(['name', 'price']) });
    expect(() => parse(choice, {})).toThrow('Is not of the right kind');
  });

  test('an unknown field is reported by its whole path', () => {
    const strict = z.object({ part: z.strictObject({ name: z.string() }) });
    const refuse = () => parse(strict, { part: { name: 'x', colour: 'red', stock: 7 } });
    expect(refuse).toThrow(
      expect.objectContaining({
        body: expect.objectContaining({
          errors: [
            { path: 'part.colour', message: 'Unknown field `colour`' },
            { path: 'part.stock', message: 'Unknown field `stock`' },
          ],
        }),
      }),
    );
  });

  test('a number with decimals is no integer', () => {
    expect(refusal({ price: 1, count: 1.5, lines: [] }).body.errors).toEqual([
      { path: 'count', message: 'Must be of type int' },
    ]);
  });
});
