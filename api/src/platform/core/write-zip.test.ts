import { buffer } from 'node:stream/consumers';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { writeZip, type ZippedFile } from './write-zip.ts';

const writtenAt = new Date(2026, 10, 29, 12, 30, 20);
const files: ZippedFile[] = ['Rechnung Ärger.pdf', 'חשבונית.pdf', '請求書 😀.pdf'].map((name) => ({
  name,
  writtenAt,
  content: [strToU8(`${name}: `), strToU8('x'.repeat(100))],
}));

test.each(['stored', 'deflated'] as const)('a %s archive keeps names of other scripts', async (format) => {
  const archive = await buffer(writeZip(files, format));
  const found = Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, strFromU8(bytes)]);
  expect(found).toEqual(files.map(({ name }) => [name, `${name}: ${'x'.repeat(100)}`]));
  expect(archive.length < 600).toBe(format === 'deflated');
});

test('a file is read only when the one before is written', async () => {
  const read: string[] = [];
  function* content(name: string) {
    read.push(name);
    yield strToU8(name);
  }
  const lazy = ['a', 'b'].map((name) => ({ name, writtenAt, content: content(name) }));
  const archive = writeZip(lazy, 'stored');
  await archive.next();
  expect(read).toEqual(['a']);
  await archive.return(undefined);
});
