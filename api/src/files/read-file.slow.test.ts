import { expect, test } from 'vitest';
import { readFile } from './read-file.ts';

const isThere = () => false;
const small = Buffer.from('number,add\nPF-1,5');
const refusalOf = (content: Buffer) =>
  readFile(content, isThere).then(
    () => null,
    ({ message }: Error) => message,
  );

test('a file of too much text is refused with this reason', async () => {
  const text = '\\'.repeat(1000);
  const lines = Array.from({ length: 9000 }, (_, line) => `PF-${line},${text}`);
  expect(await refusalOf(Buffer.from(['number,description', ...lines].join('\n')))).toBe(
    'This file has too much text. Split it, or save it as CSV.',
  );
});

test.each([
  ['PDF', '%PDF-1.7\nParcels\n1'],
  ['picture', '\x89PNG\r\n\x1a\nparcels'],
  ['web page', '\r\n<table><td>order\nparcels'],
])('a %s is no file of parcels', async (_, text) => {
  const reading = readFile(Buffer.from(text, 'latin1'), isThere, '', 'parcels');
  await expect(reading).rejects.toThrow('This is no table. Save it as XLSX or CSV.');
});

test('a caller that has left is not read for', async () => {
  const first = readFile(small, isThere);
  const left = readFile(small, () => true);
  await expect(left).rejects.toMatchObject({ code: 'unavailable' });
  expect((await first).lines).toHaveLength(1);
  expect((await readFile(small, isThere)).lines).toHaveLength(1);
});
