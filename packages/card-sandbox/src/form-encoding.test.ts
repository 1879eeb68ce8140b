import { expect, test } from 'vitest';
import { entriesOf, readForm, refuseUnknown, textOf } from './form-encoding.ts';

test('a form is read as the SDK writes it', () => {
  const form = readForm(
    'amount=100&metadata[orderId]=a%26b&metadata[x]=&expand[0]=latest_charge&expand[1]=y',
  );
  expect(textOf(form, 'amount')).toBe('100');
  expect(entriesOf(form, 'metadata')).toEqual({ orderId: 'a&b', x: '' });
  expect(Object.values(entriesOf(form, 'expand'))).toEqual(['latest_charge', 'y']);
  expect(textOf(form, 'absent')).toBeUndefined();
  expect(entriesOf(form, 'absent')).toEqual({});
});

test('no name in a form reaches what it does not name', () => {
  const form = readForm('__proto__[polluted]=1&constructor[prototype][polluted]=1');
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
  expect(Object.keys(form)).toEqual(['__proto__', 'constructor']);
});

test('a text where an object belongs, the other way round, and unknown names are refused', () => {
  expect(() => readForm('a=1&a[b]=2')).toThrow('Invalid parameter: a[b]');
  expect(() => textOf(readForm('a[b]=2'), 'a')).toThrow('Invalid string: a');
  expect(() => entriesOf(readForm('a=2'), 'a')).toThrow('Invalid object: a');
  expect(() => refuseUnknown(readForm('a=1&b=2'), ['a'])).toThrow('Received unknown parameter: b');
});
