import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import type { Person } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const customer = usePerson(shop, 'user');
const admin = usePerson(shop, 'admin');

const MIB = 1024 ** 2;

let workbook: Uint8Array;
beforeAll(() => {
  const sheet = Buffer.alloc(200 * MIB, '<row><c><v>1</v></c></row>');
  workbook = zipSync({
    'xl/workbook.xml': strToU8('<workbook xmlns:r="r"><sheets><sheet r:id="a"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8('<x><Relationship Id="a" Target="worksheets/a.xml"/></x>'),
    'xl/worksheets/a.xml': [sheet, { level: 1 }],
  });
});

/** @param objects bodies of the objects from number 1, the catalogue first */
function writePdf(objects: readonly (string | Buffer)[]): Buffer {
  const bodies = objects.map((body, index) =>
    Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]),
  );
  const trailer = `trailer <</Root 1 0 R /Size ${objects.length + 1}>>\n%%EOF`;
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...bodies, Buffer.from(trailer)]);
}

const catalogue = '<</Type/Catalog /Pages 2 0 R>>';
const pages = (kids: string, count: number) => `<</Type/Pages /Count ${count} /Kids [${kids}]>>`;
const page = (contents = '') => `<</Type/Page /Parent 2 0 R /MediaBox [0 0 9 9]${contents}>>`;
const stream = (head: string, data: Buffer) =>
  Buffer.concat([Buffer.from(`<<${head}>>\nstream\n`), data, Buffer.from('\nendstream')]);

/** A page of this text, packed. */
function writePage(text: Buffer): Buffer {
  const data = deflateSync(text);
  const contents = stream(`/Filter/FlateDecode /Length ${data.length}`, data);
  return writePdf([catalogue, pages('3 0 R', 1), page(' /Contents 4 0 R'), contents]);
}

test.each([
  ['a workbook of 200 MB', () => workbook, /^This workbook unpacks to too much|^This file takes too/],
  [
    'a PDF of 200 MB',
    () => writePage(Buffer.alloc(200 * MIB, 'BT (PF-1 5) Tj ET\n')),
    /^This file takes too/,
  ],
  [
    'a PDF that draws for seconds',
    () => writePage(Buffer.alloc(100 * MIB, 'q Q\n')),
    /^This file takes too long to read\. Split it, or save it as CSV\.$/,
  ],
  [
    'a PDF that is packed twice',
    () => {
      const data = deflateSync(deflateSync(Buffer.alloc(200 * MIB)));
      const contents = stream(`/Filter[/FlateDecode/FlateDecode] /Length ${data.length}`, data);
      return writePdf([catalogue, pages('3 0 R', 1), page(' /Contents 4 0 R'), contents]);
    },
    /^This file takes too/,
  ],
  [
    'a PDF of 10,000 pages',
    () => {
      const kids = Array.from({ length: 10_000 }, (_, index) => `${index + 3} 0 R`);
      return writePdf([catalogue, pages(kids.join(' '), 10_000), ...kids.map(() => page())]);
    },
    /^This PDF has 10000 pages|^This file takes too long/,
  ],
  [
    'a PDF whose pages contain themselves',
    () => writePdf([catalogue, pages('2 0 R 2 0 R', 2)]),
    /^This PDF is damaged|^This file takes too|picture of a list/,
  ],
  [
    'a PDF with an endless object',
    () => writePdf([catalogue, pages('3 0 R', 1), `${'['.repeat(2 * MIB)}`]),
    /^This PDF is damaged|^This file takes too|picture of a list/,
  ],
])('%s gets a sentence while reads go on', async (_, make, sentence) => {
  const { status, body } = await sendWhileReading(customer, '/batch/file', make());
  expect([status, body.errors?.[0]?.message]).toEqual([422, expect.stringMatching(sentence)]);
});

test('a workbook of 200 MB is refused while reads go on', async () => {
  const { status, body } = await sendWhileReading(admin, '/product/import', workbook);
  expect([status, body.detail]).toEqual([
    422,
    'This workbook unpacks to too much. Remove other sheets and empty rows, or save it as CSV.',
  ]);
});

/** The bytes say what they are. Meanwhile others read, one request after the other. */
async function sendWhileReading(person: Person, path: string, file: Uint8Array) {
  let reads = 0;
  let isDone = false;
  const reading = (async () => {
    while (!isDone) {
      expect((await shop.request('/product?limit=3')).status).toBe(200);
      reads += 1;
    }
  })();
  const answer = await person.post(path, file, { 'content-type': 'application/octet-stream' });
  isDone = true;
  await reading;
  expect(reads).toBeGreaterThan(0);
  return answer;
}
