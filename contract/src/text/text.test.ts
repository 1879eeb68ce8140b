import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { refusals, takes, textsAround } from '../../test/schema.ts';
import {
  cleanText,
  emailField,
  emailParam,
  emailPattern,
  emailQueryField,
  idParam,
  idPattern,
  instant,
  momentField,
  newEmailField,
  sameEmail,
  text,
  tooLong,
} from './text.ts';

describe('a cleaned text', () => {
  test('is trimmed, normalised to NFC and without control characters', () => {
    expect(cleanText('  Toma\u0301s\u0000\u0007 Herrera ', false)).toBe('Tomás Herrera');
    expect(cleanText('a\u0000\u001f\u007f\u009fb', true)).toBe('ab');
    expect(cleanText('a\u0020\u007e\u00a0b', true)).toBe('a\u0020\u007e\u00a0b');
    expect(cleanText('\u0007 a \u0007', true)).toBe('a');
  });

  test('normalizes line breaks where it may have lines', () => {
    expect(cleanText('a\r\nb\rc\u2028d\u2029e\nf', true)).toBe('a\nb\nc\nd\ne\nf');
    expect(cleanText('a\n\nb', true)).toBe('a\n\nb');
    expect(cleanText('a\tb', true)).toBe('ab');
  });

  test('has single blank lines and at most fifty lines', () => {
    expect(cleanText('a\n\n\n\nb\n \n\u3000\nc', true)).toBe('a\n\nb\n \nc');
    const lines = Array.from({ length: 52 }, (_, line) => String(line));
    expect(cleanText(lines.slice(0, 50).join('\n'), true)).toBe(lines.slice(0, 50).join('\n'));
    expect(cleanText(lines.join('\n'), true)).toBe(`${lines.slice(0, 49).join('\n')}\n49 50 51`);
  });

  test('keeps three marks on a letter, or six of its script', () => {
    expect(cleanText(`Z${'\u0301'.repeat(1000)}a\u0489\u0489\u0489\u0489`, false)).toBe(
      'Z\u0301\u0301\u0301\u0301a\u0489\u0489\u0489'.normalize('NFC'),
    );
    expect(cleanText(`ש${'\u05b0\u0300'.repeat(5)}`, false).length).toBe(7);
    expect(cleanText('e\u200b\u0301', false)).toBe('é');
  });

  test.each(['Nguyễn', 'i\u0307\u0301', 'شُكَّرٌ', 'शर्मा', 'སྒྲུབས', 'မြွှို့', 'ក្រុង', 'שִׁלְבֵּ֥ל'])(
    'keeps the marks that people write: %s',
    (value) => {
      expect(cleanText(value, false)).toBe(value.normalize('NFC'));
    },
  );

  test('has one space for line breaks where it is one line', () => {
    expect(cleanText('a\r\nb\rc\u2028d\u2029e', false)).toBe('a b c d e');
    expect(cleanText('a\n\t\nb', false)).toBe('a b');
  });

  test('has no direction marks and no invisible characters', () => {
    expect(cleanText('Ali \u202egnp.exe', false)).toBe('Ali gnp.exe');
    const marks =
      '\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff';
    expect(cleanText(`${marks}Li${marks}\u00ad Wei${marks}`, true)).toBe('Li Wei');
    expect(cleanText('A\u200dl\u200ci\ufe0f 1\ufe0f\u{e0041}', false)).toBe('Ali 1');
    expect(cleanText('홍\u3164길동\uffa0', false)).toBe('홍 길동');
  });

  test.each([
    'می\u200cخواهم',
    'ක්\u200dෂ',
    '👩🏽\u200d🔧',
    '❤\ufe0f\u200d🔥',
    '1\ufe0f\u20e3',
    '葛\u{e0100}城',
    'ᠠ\u180b',
  ])('keeps an invisible character that changes its letter: %s', (value) => {
    expect(cleanText(value, false)).toBe(value.normalize('NFC'));
  });

  test.each([
    '\u200b',
    '\u3164',
    '\u00ad',
    '\u2800\u3000',
    '\u202e',
    '\u0301',
    '\ufe0f',
    '\u115f',
    '\n\u2800\n',
  ])('is empty without visible characters: %j', (value) => {
    expect(cleanText(value, true)).toBe('');
  });

  test('may contain the Braille blank', () => {
    expect(cleanText('⠁\u2800⠃', false)).toBe('⠁\u2800⠃');
  });

  test('has no broken surrogate', () => {
    expect(cleanText('x\ud800', false)).toBe('x\ufffd');
  });
});

describe('a text field', () => {
  const field = text({ min: 2, max: 4, required: 'Name is Required' });

  test('has a length within its bounds', () => {
    const [tooShort, shortest] = textsAround(2);
    const [, longest, tooMany] = textsAround(4);
    expect(refusals(field, tooShort)).toEqual({ '': 'Name is Required' });
    expect([shortest, longest].map((value) => field.parse(value))).toEqual(['xx', 'xxxx']);
    expect(refusals(field, tooMany)).toEqual({ '': 'Must be no more than 4 characters' });
  });

  test('limits its length before cleaning', () => {
    const tooLong = { '': 'Must be no more than 4 characters' };
    expect(field.parse('💠💠💠💠')).toBe('💠💠💠💠');
    for (const value of ['💠💠💠💠💠', 'xx\u200b\u200b\u200b', 'e\u0301e\u0301e\u0301', 'x\n\n\n\nx']) {
      expect(refusals(field, value)).toEqual(tooLong);
    }
    expect(field.parse('    xx    ')).toBe('xx');
    // NFC expands U+0958.
    expect(refusals(field, '\u0958\u0958\u0958')).toEqual(tooLong);
  });

  test('has its minimum length after cleaning', () => {
    expect(refusals(field, '  x  ')).toEqual({ '': 'Name is Required' });
    expect(refusals(field, ' \u0000\u0007 ')).toEqual({ '': 'Name is Required' });
    expect(refusals(field, '\u200b\u3164\u2800\u202e')).toEqual({ '': 'Name is Required' });
  });

  test('accepts nothing but texts', () => {
    for (const value of [undefined, null, 7, {}, ['x']]) {
      expect(refusals(field, value)).toEqual({ '': 'Name is Required' });
      expect(refusals(text({ max: 4 }), value)).toEqual({ '': 'Must be a text' });
    }
  });

  test('may be empty without a minimum length', () => {
    expect(text({ max: 4 }).parse('')).toBe('');
  });

  test('names its minimum length when it is optional', () => {
    expect(refusals(text({ min: 3, max: 4 }), 'xx')).toEqual({ '': 'Must be 3 characters or longer' });
  });

  test('has lines only when allowed', () => {
    expect(text({ max: 9 }).parse('a\nb')).toBe('a b');
    expect(text({ max: 9, lines: true }).parse('a\nb')).toBe('a\nb');
  });

  test('describes its bounds', () => {
    expect(z.toJSONSchema(field)).toMatchObject({ type: 'string', minLength: 2, maxLength: 4 });
    const optional = z.toJSONSchema(text({ max: 4 }));
    expect(optional).toMatchObject({ type: 'string', maxLength: 4 });
    expect(optional).not.toHaveProperty('minLength');
  });
});

test('tooLong names the maximum', () => {
  expect(tooLong(120)).toBe('Must be no more than 120 characters');
});

describe('an email', () => {
  test.each([
    'a@b.co',
    'amara@fieldrepair.example',
    'Amara.Okafor+shop@Field-Repair.example',
    'ämärä@feldwerkstatt.example',
    "o'brien@a.b.example",
    `${'x'.repeat(254 - '@b.example'.length)}@b.example`,
  ])('accepts %s', (email) => {
    expect(refusals(emailField, email)).toEqual({});
  });

  test.each([
    'amara',
    'amara@',
    '@fieldrepair.example',
    'amara@fieldrepair',
    'amara@fieldrepair.',
    'amara@fieldrepair.e',
    'amara@.co',
    'amara@@fieldrepair.example',
    'amara@field@repair.example',
    'amara okafor@fieldrepair.example',
    'amara@field repair.example',
    'amara@fieldrepair.ex ample',
    'amara@fieldrepair.example okafor',
    'okafor amara@fieldrepair.example',
    'amara\t@fieldrepair.example',
  ])('is refused when malformed: %s', (email) => {
    expect(refusals(emailField, email)).toEqual({ '': 'Valid Email is needed' });
  });

  test.each([
    'amara@fieldrepair.example',
    "o'brien@a.b.example",
    'r&d@check.test',
    'a#b@check.test',
    'sla/sh@check.test',
    'per%cent@check.test',
    '!x@check.test',
    'a.b+c=d@check.test',
    'x@check.xn--p1ai',
    'x@4-4.example',
  ])('can be registered: %s', (email) => {
    expect(refusals(newEmailField, email)).toEqual({});
  });

  test.each([
    'jörg@check.test',
    'jorg@müller.example',
    'a..b@check.test',
    '.a@check.test',
    'a.@check.test',
    '"a b"@check.test',
    'a<b>@check.test',
    'a@-check.test',
    'a@check..test',
    'a@check',
    'a@check.te_st',
  ])('cannot be registered: %s', (email) => {
    expect(refusals(newEmailField, email)).toEqual({ '': 'Valid Email is needed' });
  });

  test('restores an unencoded plus in a query', () => {
    expect(emailQueryField.parse(' a b@check.test')).toBe('a+b@check.test');
    expect(refusals(emailQueryField, 'a b')).toEqual({ '': 'Valid Email is needed' });
    expect(z.toJSONSchema(emailQueryField)).toMatchObject({
      format: 'email',
      description: 'A plus need not be encoded',
    });
  });

  test('is required', () => {
    for (const value of ['', '   ', '\u0000', undefined, null, 7]) {
      expect(refusals(emailField, value)).toEqual({ '': 'Email is Required' });
    }
  });

  test('has at most 254 characters', () => {
    const [, longest, tooMany] = textsAround(254 - '@b.example'.length).map((name) => `${name}@b.example`);
    expect(takes(emailField, longest)).toBe(true);
    expect(refusals(emailField, tooMany)).toEqual({ '': 'Must be no more than 254 characters' });
  });

  test('is trimmed of white space and control characters', () => {
    expect(emailField.parse(' amara@fieldrepair.example\n')).toBe('amara@fieldrepair.example');
    expect(refusals(emailField, 'amara\n@fieldrepair.example')).toEqual({ '': 'Valid Email is needed' });
  });

  test('is compared without case and surrounding space', () => {
    expect(sameEmail('Amara@FieldRepair.example', 'amara@fieldrepair.EXAMPLE')).toBe(true);
    expect(sameEmail(' amara@fieldrepair.example', 'amara@fieldrepair.example ')).toBe(true);
    expect(sameEmail('amara@fieldrepair.example', 'amara@fieldrepair.examples')).toBe(false);
  });

  test('is described as an email', () => {
    expect(z.toJSONSchema(emailField)).toMatchObject({ type: 'string', format: 'email' });
    expect(z.toJSONSchema(emailParam)).toMatchObject({ type: 'string', format: 'email' });
  });

  test('accepts any text in a path', () => {
    expect(takes(emailParam, 'nobody')).toBe(true);
  });
});

describe('an id', () => {
  const id = '019a0b1c-2d3e-7f45-8a67-89abcdef0123';

  test.each([id, id.toUpperCase()])('is a UUID: %s', (value) => {
    expect([idPattern.test(value), takes(idParam, value)]).toEqual([true, true]);
  });

  test.each([
    '',
    'x',
    id.slice(1),
    id.slice(0, -1),
    `0${id}`,
    `${id}0`,
    `${id}\n`,
    id.replaceAll('-', ''),
    id.replace('a', 'g'),
    '019a0b1-c2d3e-7f45-8a67-89abcdef0123',
    '019a0b1cc-2d3e-7f45-8a67-89abcdef0123',
    '019a0b1c-2d3-7f45-8a67-89abcdef0123',
    '019a0b1c-2d3e-7f4-8a67-89abcdef0123',
    '019a0b1c-2d3e-7f45-8a6-89abcdef0123',
    '019a0b1c-gggg-7f45-8a67-89abcdef0123',
    '019a0b1c-2d3e-gggg-8a67-89abcdef0123',
    '019a0b1c-2d3e-7f45-gggg-89abcdef0123',
    '019a0b1c-2d3e-7f45-8a67-gggggggggggg',
    'gggggggg-2d3e-7f45-8a67-89abcdef0123',
  ])('refuses %j', (value) => {
    expect([idPattern.test(value), takes(idParam, value)]).toEqual([false, false]);
  });

  test('becomes lower-case in a path', () => {
    expect(idParam.parse(id.toUpperCase())).toBe(id);
    expect(idParam.parse(id)).toBe(id);
  });

  test('is described by its format alone', () => {
    const schema = z.toJSONSchema(idParam);
    expect(schema).toMatchObject({ type: 'string', format: 'uuid' });
    expect(schema.pattern).toBeUndefined();
  });
});

test('instant is described as a date and time', () => {
  expect(z.toJSONSchema(instant)).toMatchObject({ type: 'string', format: 'date-time' });
});

describe('a requested instant', () => {
  test('is a date, or a date and time with its offset', () => {
    expect(momentField.parse('2026-11-21')).toBe('2026-11-21T00:00:00.000Z');
    expect(momentField.parse('2026-11-21T09:30:00Z')).toBe('2026-11-21T09:30:00.000Z');
    expect(momentField.parse('2026-11-21T09:30:00.125Z')).toBe('2026-11-21T09:30:00.125Z');
    expect(momentField.parse('2026-01-01T00:00:00Z')).toBe('2026-01-01T00:00:00.000Z');
    expect(momentField.parse('0001-01-01')).toBe('0001-01-01T00:00:00.000Z');
    // Python, PHP, an offset in a query whose plus was not encoded, and RFC 3339's small letters.
    expect(momentField.parse('2026-11-21T09:30:00.123456+05:30')).toBe('2026-11-21T04:00:00.123Z');
    expect(momentField.parse('2026-11-21T09:30:00-01:00')).toBe('2026-11-21T10:30:00.000Z');
    expect(momentField.parse('2026-11-21T09:30:00 00:00')).toBe('2026-11-21T09:30:00.000Z');
    expect(momentField.parse('2026-11-21t09:30:00z')).toBe('2026-11-21T09:30:00.000Z');
  });

  test.each([
    '0000-01-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2026-02-30',
    '2026-11-21T09:30:00+25:00',
    '2026-11-21 09:30',
    'today',
    '',
  ])('refuses %j', (value) => {
    const refusal = 'Must be a date, or a date and time with Z or an offset, such as 2026-11-21T09:30:00Z';
    expect(refusals(z.object({ from: momentField }), { from: value })).toEqual({ from: refusal });
  });

  test('is described as a date and time', () => {
    const schema = z.toJSONSchema(momentField, { io: 'input' });
    expect(schema).toMatchObject({ type: 'string', format: 'date-time' });
    expect(schema.anyOf).toBeUndefined();
  });
});

test.each([
  ['a@b.co', true],
  ['a@b..co', true],
  ['a@.b.co', true],
  ['a@b.c', false],
  ['a@.co', false],
  ['a@b', false],
  ['a@b@c.co', false],
])('%s matches emailPattern: %s', (address, isAddress) => {
  expect(emailPattern.test(address)).toBe(isAddress);
});
