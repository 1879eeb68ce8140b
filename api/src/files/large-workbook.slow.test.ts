import { WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { startForTest } from '#test/use-shop.ts';

test('a workbook of 200 MB is refused while reads go on', async () => {
  const shop = await startForTest();
  const admin = await signedInAs(shop, 'admin');
  const sheet = Buffer.alloc(200 * 1024 ** 2, '<row><c><v>1</v></c></row>');
  const workbook = zipSync({
    'xl/workbook.xml': strToU8('<workbook xmlns:r="r"><sheets><sheet r:id="a"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8('<x><Relationship Id="a" Target="worksheets/a.xml"/></x>'),
    'xl/worksheets/a.xml': [sheet, { level: 1 }],
  });
  let reads = 0;
  let isDone = false;
  const reading = (async () => {
    while (!isDone) {
      expect((await shop.request('/product?limit=3')).status).toBe(200);
      reads += 1;
    }
  })();
  const { status, body } = await admin.post('/product/import', workbook, { 'content-type': WORKBOOK_TYPE });
  isDone = true;
  await reading;
  expect([status, body.detail]).toEqual([
    422,
    'This workbook unpacks to too much. Remove other sheets and empty rows, or save it as CSV.',
  ]);
  expect(reads).toBeGreaterThan(0);
});
