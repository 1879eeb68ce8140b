import { expect, test } from 'vitest';
import { readFile } from './read-file.ts';

const send = (text: string, isGone = false, sender = 'ana') => ({
  content: Buffer.from(text, 'latin1'),
  charset: '',
  sender,
  hasGone: () => isGone,
});
const small = 'number,add\nPF-1,5';
const refusalOf = (text: string) =>
  readFile(send(text), 'catalogue').then(
    () => null,
    ({ message }: Error) => message,
  );

test('a file of too much text is refused with this reason', async () => {
  const text = '\\'.repeat(1000);
  const lines = Array.from({ length: 9000 }, (_, line) => `PF-${line},${text}`);
  expect(await refusalOf(['number,description', ...lines].join('\n'))).toBe(
    'This file has too much text. Split it, or save it as CSV.',
  );
});

test.each([
  ['PDF', '%PDF-1.7\nParcels\n1'],
  ['picture', '\x89PNG\r\n\x1a\nparcels'],
  ['web page', '\r\n<table><td>order\nparcels'],
])('a %s is no file of parcels', async (_, text) => {
  const reading = readFile(send(text), 'parcels');
  await expect(reading).rejects.toThrow('This is no table. Save it as XLSX or CSV.');
});

test('a caller that has left is not read for', async () => {
  const first = readFile(send(small), 'catalogue');
  const left = readFile(send(small, true), 'catalogue');
  await expect(left).rejects.toMatchObject({ code: 'unavailable' });
  expect((await first).lines).toHaveLength(1);
  expect((await readFile(send(small), 'catalogue')).lines).toHaveLength(1);
});

test('many files of one sender do not hold up those of another', async () => {
  const ended: string[] = [];
  const read = (sender: string) =>
    readFile(send(small, false, sender), 'catalogue').then(() => ended.push(sender));
  await Promise.all(['ana', 'ana', 'ana', 'bo'].map(read));
  expect(ended).toEqual(['ana', 'bo', 'ana', 'ana']);
});
