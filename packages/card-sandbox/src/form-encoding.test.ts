import { expect, test } from 'vitest';
import {
  parseForm,
  readString,
  readStringList,
  readStringMap,
  rejectUnknownParameters,
} from './form-encoding.ts';

test('a form is parsed as the SDK encodes it', () => {
  const form = parseForm(
    'amount=100&metadata[orderId]=a%26b&metadata[x]=&expand[0]=latest_charge&expand[1]=y',
  );
  expect(readString(form, 'amount')).toBe('100');
  expect(readStringMap(form, 'metadata')).toEqual({ orderId: 'a&b', x: '' });
  expect(readStringList(form, 'expand')).toEqual(['latest_charge', 'y']);
  expect(readString(form, 'absent')).toBeUndefined();
  expect(readStringMap(form, 'absent')).toEqual({});
});

test('a form cannot pollute prototypes', () => {
  const form = parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1');
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
  expect(Object.keys(form)).toEqual(['__proto__', 'constructor']);
});

test('a mismatched type or an unknown name is refused', () => {
  expect(() => parseForm('a=1&a[b]=2')).toThrow('Invalid parameter: a[b]');
  expect(() => readString(parseForm('a[b]=2'), 'a')).toThrow('Invalid string: a');
  expect(() => readStringMap(parseForm('a=2'), 'a')).toThrow('Invalid object: a');
  expect(() => rejectUnknownParameters(parseForm('a=1&b=2'), ['a'])).toThrow('Received unknown parameter: b');
});
