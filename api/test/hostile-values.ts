import fc from 'fast-check';

/** The part of JSON Schema in `/openapi.json`. */
export interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
}

/**
 * For numbers that `JSON.stringify` cannot write, such as `-0` and `1e400`; a marked text until `writeJson`.
 */
const rawNumber = (text: string) => `\u{f0000}${text}\u{f0000}`;

/** Replaces raw numbers. */
export const writeJson = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replace(/"\u{f0000}([^"]+)\u{f0000}"/gu, '$1');

const nastyTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202eexe.gnp',
  '\r\nSet-Cookie: a=b',
  '👩‍👩‍👧‍👦'.repeat(20),
  'e\u0301'.repeat(200),
  'ﷺ'.repeat(120),
  'x'.repeat(121),
  'x'.repeat(5000),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  "' or 1=1 --",
  "'; drop table products; --",
  '%',
  '_',
  '\\',
  '%00',
  '%2e%2e%2f',
  '../../etc/passwd',
  '..',
  '.',
  '/',
  '//evil.example',
  '{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '1e5',
  '0x10',
  '-1',
  '٣',
  '9007199254740993',
  '2026-02-30T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  'a@b.cc',
  'pi_000000',
];

const nastyNumbers = [
  0,
  -1,
  0.1 + 0.2,
  0.005,
  1e-7,
  49.999,
  50,
  1000,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e21,
  1e308,
  5e-324,
  rawNumber('-0'),
  rawNumber('1e400'),
  rawNumber('-1e400'),
  rawNumber(`1${'0'.repeat(400)}`),
];

/** Deep enough to overflow a recursive parser. */
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

/**
 * Any character. The unit `binary` of fast-check is the same, but builds a table of all, which takes over a
 * second.
 */
const SURROGATES = { first: 0xd800, count: 0x800 };
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map(
    (place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count),
    (text) => {
      const code = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
      if (code < 0 || String.fromCodePoint(code) !== text) throw new Error('This is not one character.');
      return code < SURROGATES.first ? code : code - SURROGATES.count;
    },
  );

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);

/** Hostile ones are more frequent. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...nastyNumbers) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], ['a', 1]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(nested(5000), { $ne: null }, { length: -1 }, { toString: 1 }),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** In or just beyond the schema. Rules in words may still refuse them. */
export function arbitraryValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(arbitraryValue));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, arbitraryValue(inner)]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    case 'array':
      return fc.array(arbitraryValue(schema.items ?? {}), { maxLength: 3 });
    case 'string':
      return arbitraryText(schema);
    case 'integer':
    case 'number':
      return arbitraryNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return hostileValue;
  }
}

function arbitraryText({ minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  const lengths = [minLength - 1, minLength, minLength + 1, maxLength - 1, maxLength, maxLength + 1];
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 60) }),
    fc.constantFrom(...lengths.filter((length) => length >= 0).map((length) => 'ä'.repeat(length))),
  );
}

function arbitraryNumber({
  type,
  minimum = -10,
  maximum = 1e6,
  multipleOf,
}: JsonSchema): fc.Arbitrary<number> {
  const step = multipleOf ?? (type === 'integer' ? 1 : 0.01);
  const edges = [minimum - step, minimum, minimum + step, maximum - step, maximum, maximum + step];
  const whole = fc.integer({
    min: Math.ceil(Math.max(minimum, -(2 ** 31))),
    max: Math.floor(Math.min(maximum, 2 ** 31 - 1)),
  });
  return fc.oneof(whole, fc.constantFrom(...edges));
}
