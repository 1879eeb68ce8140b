import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { nameImage } from '#src/images/store.ts';
import { aPicture, aProduct, readProduct } from '#test/builders.ts';
import { downloadFile } from '#test/downloads.ts';
import {
  anImport,
  applyFile,
  readImport,
  readUndo,
  sendFile,
  useShopForImports,
  writeNew,
} from '#test/imports.ts';
import { expectRefusal } from '#test/paying.ts';
import { usePerson } from '#test/use-shop.ts';

const shop = useShopForImports();
const admin = usePerson(shop, 'admin');

describe('a preview', () => {
  test('a preview shows old and new values and changes nothing', async () => {
    const part = await aProduct(shop, { price: 19.99 });
    const found = await anImport(admin, `number,name,price,add\n${part.number},Better display,21.50,500\n`);
    expect(found).toMatchObject({
      state: 'preview',
      counts: { new: 0, changed: 1, unchanged: 0, refused: 0, warned: 0, done: 0, leftOut: 0 },
      lines: [
        {
          line: 2,
          number: part.number,
          isNew: false,
          changes: [
            { column: 'name', was: part.name, will: 'Better display' },
            { column: 'price', was: '19.99', will: '21.50' },
            { column: 'stock', was: '1000', will: '1500' },
          ],
        },
      ],
    });
    expect(await readProduct(shop, part._id)).toEqual(part);
    expect(await readImport(admin, found._id)).toEqual(found);
  });

  test('a file of megabytes is read and kept in small texts', async () => {
    const [head, row = ''] = writeNew('SMALL').split('\n');
    const text = 'x'.repeat(1500);
    const rows = Array.from({ length: 2000 }, (_, n) =>
      row.replace('SMALL', `TEXT-${n}`).replace('Plain.', text),
    );
    const handled = [vi.spyOn(JSON, 'parse'), vi.spyOn(JSON, 'stringify')] as const;
    const refused = rows.map((each) => each.replace('5.50', 'free'));
    const { _id, counts } = await anImport(admin, [head, ...rows, ...refused].join('\n'));
    expect([counts.new, counts.refused]).toEqual([0, 4000]);
    const other = await anImport(admin, [head, ...rows].join('\n'));
    expect(other.counts).toMatchObject({ new: 2000, refused: 0 });
    expect((await readImport(admin, other._id, 1990)).lines.at(-1)?.number).toBe('TEXT-1999');
    const request = { what: 'import', import: _id, part: 'problems' } as const;
    const problems = (await downloadFile(shop, admin, request)).bytes.toString();
    expect(problems.trim().split('\n')).toHaveLength(1 + 6000);
    const texts = [
      ...handled[0].mock.calls.map(([text]) => String(text)),
      ...handled[1].mock.results.map(({ value }) => String(value)),
    ];
    vi.restoreAllMocks();
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(1_000_000);
  });

  test('lines of one kind are counted and listed over the whole file', async () => {
    const parts = await Promise.all(Array.from({ length: 103 }, () => aProduct(shop, { price: 10 })));
    const lines = parts.map(({ number, name }, at) => `${number},${at < 101 ? 'Other' : name},11.50,`);
    const [dearer, cheaper] = [await aProduct(shop, { price: 10 }), await aProduct(shop, { price: 3.3 })];
    lines.push(`${dearer.number},,11.51,5`, `${cheaper.number},,2.80,`, 'NO-SUCH-PART,,9,');
    const { _id, kinds } = await anImport(admin, ['number,name,price,add', ...lines].join('\n'));
    expect(kinds).toEqual([
      { name: 'price', lines: 105 },
      { name: 'name', lines: 101 },
      { name: 'price-jump', lines: 2 },
      { name: 'stock', lines: 1 },
    ]);
    const read = async (only: string, from = 0): Promise<number[]> =>
      (await admin.get(`/product/import/${_id}?only=${only}&from=${from}`)).body.data.lines.map(
        ({ line }: { line: number }) => line,
      );
    expect(await read('price-jump')).toEqual([105, 106]);
    expect(await read('stock')).toEqual([105]);
    expect(await read('name', 100)).toEqual([102]);
    expect(await read('price', 100)).toEqual([102, 103, 104, 105, 106]);
    expectRefusal(await admin.get(`/product/import/${_id}?only=colour`), 422, 'invalid');
  });

  test('a preview names line, column and remedy of each problem', async () => {
    const [part, other] = [await aProduct(shop), await aProduct(shop)];
    const { problems, counts } = await anImport(
      admin,
      [
        'number,price,minimum order,kind,fits,pictures',
        `${part.number},"173,900",7x,Gizmos,,`,
        `${other.number},,40,,,https://elsewhere.example/a.webp`,
        'NO-SUCH-PART,5,100,,,',
        ',5,,,,',
      ].join('\n'),
    );
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 'price'],
      [2, 'minimum order'],
      [2, 'kind'],
      [3, 'minimum order'],
      [3, 'pictures'],
      [4, 'number'],
      [5, 'number'],
    ]);
    expect(problems[0]?.message).toBe(
      '“173,900” may be 173900 or 173.900. Write two decimals, such as 173900.00.',
    );
    expect(problems[5]?.message).toBe(
      'No part has the number NO-SUCH-PART. For a new one these are missing: name, description, stock, pictures.',
    );
    expect(counts).toMatchObject({ refused: 4, changed: 0 });
  });

  test('a column that contradicts what the file lacks is named', async () => {
    const { number } = await aProduct(shop, { price: 10, priceBreaks: [{ quantity: 1000, price: 9 }] });
    const { problems } = await anImport(admin, `number,price\n${number},8`);
    const message = 'Contradicts “price breaks”, which is 1000: 9.00: Must be below 8. Write both.';
    expect(problems).toEqual([{ line: 2, column: 'price', message }]);
  });

  test('pictures are named by file name, or by part number', async () => {
    const number = `PF-${randomUUID().slice(0, 8)}`.toUpperCase();
    const addresses: string[] = [];
    for (const [name, letter] of [
      ['Front.JPG', 'b'],
      [`${number}.png`, 'c'],
      [`${number}-2.jpg`, 'd'],
    ] as const) {
      addresses.push(await aPicture(shop, letter.repeat(64)));
      await nameImage(shop.db, name, letter.repeat(64));
    }
    const picturesOf = async (file: string) =>
      (await anImport(admin, file)).lines[0]?.changes.find(({ column }) => column === 'pictures')?.will;
    expect(await picturesOf(writeNew(number, ''))).toBe(addresses.slice(1).join('; '));
    expect(await picturesOf(writeNew(number, 'front.jpg'))).toBe(addresses[0]);
    // The second one is of a part in the same file, then of one in the shop.
    const [, otherLine] = writeNew(`${number}-2`, '').split('\n');
    expect(await picturesOf(`${writeNew(number, '')}\n${otherLine}`)).toBe(addresses[1]);
    await aProduct(shop, { number: `${number}-2` });
    expect(await picturesOf(writeNew(number, ''))).toBe(addresses[1]);
    const { problems } = await anImport(admin, writeNew(number, 'back.jpg'));
    expect(problems[0]?.message).toMatch(/^“back.jpg” is no picture of this shop/);
  });

  test('two thousand different pictures take no query each', async () => {
    const query = vi.spyOn(shop.pool, 'query');
    const lines = Array.from({ length: 2000 }, (_, index) => `N-${index},/images/x${index}.webp`);
    await anImport(admin, ['number,pictures', ...lines].join('\n'));
    expect(query.mock.calls.length).toBeLessThan(100);
    query.mockRestore();
  });
});

describe('a warning', () => {
  test('a price that moves by half and repeated pieces are warned of', async () => {
    const [part, other] = [await aProduct(shop, { price: 10 }), await aProduct(shop, { price: 10 })];
    const third = await aProduct(shop, { price: 10, priceBreaks: [{ quantity: 500, price: 9 }] });
    await applyFile(admin, `number,add\n${other.number},40`);
    const { lines, counts } = await anImport(
      admin,
      `number,price,price breaks,add\n${part.number},16,,1\n${other.number},11,,40\n${third.number},10,500: 4.00,`,
    );
    expect(lines.map(({ warning }) => warning)).toEqual([
      'The price moves by more than half.',
      'The same pieces were added within 24 hours.',
      'The price moves by more than half.',
    ]);
    expect(counts.warned).toBe(3);
  });

  test.each([
    ['00123', '123'],
    ['1E5', '1.00E+05'],
    ['90.750', '90.75'],
  ])('the name %s that a spreadsheet made %s is warned of', async (name, written) => {
    const part = await aProduct(shop, { name });
    const { lines } = await anImport(admin, `number,name\n${part.number},${written}`);
    expect(lines[0]?.warning).toBe('A spreadsheet may have changed the name.');
  });

  test.each(['4-MAR', '03.04.2026', '2026-04-03', '03. APR'])(
    'a new part with the number %s is warned of',
    async (number) => {
      const { lines } = await anImport(admin, writeNew(number));
      expect(lines[0]?.warning).toBe('A spreadsheet may have made the number a date.');
    },
  );

  test('an edit after the file was written is warned of', async () => {
    const part = await aProduct(shop, { price: 10 });
    const file = `number,price,version\n${part.number},11,${part.version}`;
    expect((await anImport(admin, file)).counts.warned).toBe(0);
    const { _id } = await applyFile(admin, file);
    const undo = await readUndo(shop, admin, _id);
    expect((await anImport(admin, undo)).counts).toMatchObject({ changed: 1, warned: 0 });
    await applyFile(admin, `number,price\n${part.number},12`);
    for (const older of [file, undo]) {
      const { lines } = await anImport(admin, older);
      expect(lines[0]?.warning).toBe('The part was edited after this file was written.');
    }
  });

  test.each(['version', 'stock was'])('a line with “%s” makes no new part', async (column) => {
    const [head, line] = writeNew('12. MAI').split('\n');
    const { problems } = await anImport(admin, `${head},${column}\n${line},5`);
    expect(problems.map(({ message }) => message)).toEqual([
      'No part has the number 12. MAI: a spreadsheet may have changed it. For a new part leave “stock was” and “version” empty.',
    ]);
  });

  test('a copied line is a new part, unless one had its number', async () => {
    const number = `PF-${randomUUID().slice(0, 8)}`.toUpperCase();
    const [head, line] = writeNew(number).split('\n');
    const { lines } = await anImport(admin, `${head},stock was,version\n${line},5,3`);
    expect(lines).toMatchObject([
      { isNew: true, warning: expect.stringMatching(/is a new one, with 2,000/) },
    ]);
    const part = await aProduct(shop);
    await applyFile(admin, `number,remove\n${part.number},yes`);
    const { problems } = await anImport(admin, `number,version\n${part.number},1`);
    expect(problems[0]?.message).toMatch(/the part was removed, or has another number/);
  });

  test.each([
    ['name', 'Gehäuse № 5', 'Geh?use ? 5', /^Letters became “.”/],
    ['name', 'Screen', 'Scr\ufffden', /^Letters became “.”/],
    ['description', 'Plain', '<p>Plain</p>', /^The text has HTML/],
    ['name', 'Coil', '12.5', /^The name is a figure/],
    ['fits', 'Norda 12', '"Norda 12, Norda 14"', /^A list may be one entry here/],
    ['attributes', 'Colour: red', '"Colour: red, Weight: 12 g"', /^A list may be one entry here/],
  ])('a %s of %s that becomes %s is warned of', async (column, before, after, warning) => {
    const { number } = await aProduct(shop);
    await applyFile(admin, `number,${column}\n${number},${before}`);
    const { lines } = await anImport(admin, `number,${column}\n${number},${after}`);
    expect(lines[0]?.warning).toMatch(warning);
  });

  test('a stock that becomes 0 is warned of', async () => {
    const { number, quantity } = await aProduct(shop);
    const { lines } = await anImport(admin, `number,stock,stock was\n${number},0,${quantity}`);
    expect(lines[0]?.warning).toBe('The stock becomes 0.');
  });

  test('phone models that no part has had are named', async () => {
    const { number } = await aProduct(shop);
    const model = `Norda ${randomUUID().slice(0, 8)}`;
    const file = `number,fits\n${number},${model}`;
    expect((await anImport(admin, file)).notes).toEqual([`New phone models: ${model}.`]);
    await applyFile(admin, file);
    expect((await anImport(admin, file)).notes).toEqual([]);
  });

  test('a number that a spreadsheet changed is no new part', async () => {
    for (const number of ['007123', '70.750', '7E5']) await applyFile(admin, writeNew(number));
    const { problems } = await anImport(admin, `number,price\n7123,9\n70.75,9\n7.00E+05,9\n700000,9`);
    expect(problems.map(({ line, message }) => [line, /write ([^ ]+)\.$/.exec(message)?.[1]])).toEqual([
      [2, '007123'],
      [3, '70.750'],
      [4, '7E5'],
      [5, '7E5'],
    ]);
  });
});

describe('a file of another program', () => {
  /** As bytes, sent as CSV. */
  const sendBytes = async (content: Uint8Array, type = 'text/csv') => {
    const { body } = await admin.post('/product/import', content, { 'content-type': type });
    return body.data;
  };
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

  test.each<[string, (number: string) => Uint8Array, string]>([
    ['UTF-8 with a mark', (number) => Buffer.from(`\ufeffnumber,name\n${number},Écran`), 'Écran'],
    ['spaced names', (number) => Buffer.from(` Number , Name \r\n ${number} ,  Écran `), 'Écran'],
    ['Windows-1252', (number) => Buffer.from(`number;name\n${number};\xc9cran \x80`, 'latin1'), 'Écran €'],
    ['UTF-16', (number) => utf16(`number\tname\r\n${number}\tÉcran 6.1"\r\n`), 'Écran 6.1"'],
    ['big UTF-16', (number) => utf16(`number,name\n${number},Écran`).swap16(), 'Écran'],
    ['a separator line', (number) => Buffer.from(`sep=;\nnumber;name\n${number};"Écran; 6"`), 'Écran; 6'],
    ['lone returns', (number) => Buffer.from(`number,name\r${number},Écran`), 'Écran'],
    [
      'inch marks',
      (number) => Buffer.from(`number,name\n${number},Display 12" wide, 2`.slice(0, -3)),
      'Display 12" wide',
    ],
    ['guarded text', (number) => Buffer.from(`number,name\n'${number},"'=SUM(A1)"`), '=SUM(A1)'],
    ['doubled guards', (number) => Buffer.from(`number,name\n="${number}",''=1`), "'=1"],
  ])('%s is read', async (_, write, name) => {
    const { number } = await aProduct(shop);
    const { problems, lines } = await sendBytes(write(number));
    expect(problems).toEqual([]);
    expect(lines[0].changes).toEqual([expect.objectContaining({ column: 'name', will: name })]);
  });

  test.each([
    ['text/csv', 'ca³', 'windows-1252'],
    ['text/csv; charset=iso-8859-2', 'cał', 'iso-8859-2'],
    ['text/csv; charset=nonsense', 'ca³', 'windows-1252'],
  ])('a note names the charset of %s that is not UTF-8', async (type, name, charset) => {
    const { number } = await aProduct(shop);
    const { lines, notes } = await sendBytes(Buffer.from(`number,name\n${number},ca\xb3`, 'latin1'), type);
    expect(lines[0].changes[0].will).toBe(name);
    expect(notes).toEqual([
      `This file is not UTF-8. It was read as ${charset}: look at its letters with accents.`,
    ]);
  });

  test.each([
    ['EncryptedPackage', /a workbook with a password/],
    ['Workbook', /an old Excel workbook/],
  ])('a file of Office with %s is refused by its kind', async (stream, message) => {
    const start = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
    const { body } = await sendFile(admin, Buffer.concat([start, Buffer.from(stream, 'utf16le')]));
    expect(body.detail).toMatch(message);
  });

  test('quotes that a backslash escapes are refused', async () => {
    const { number } = await aProduct(shop);
    const { problems } = await sendBytes(Buffer.from(`number,name\n${number},"a \\"b\\", c"`));
    expect(problems[0].message).toBe(
      'A quote in this line does not end its cell. Nothing from here on is read.',
    );
  });

  test('an empty cell takes nothing from the line above', async () => {
    const [part, other] = [await aProduct(shop), await aProduct(shop)];
    const { lines } = await sendBytes(
      Buffer.from(`number,name,fits\n${part.number},A,B\n${other.number},,C`),
    );
    expect(lines[1].changes.map(({ column }: { column: string }) => column)).toEqual(['fits']);
  });
});

describe('a refused file', () => {
  test.each([
    [
      '',
      'No line of at most 200 cells names the columns. Write “number” and other columns into the first line.',
    ],
    ['number,price', 'This file has no lines below its column names.'],
    [
      'number,price,unit price\nPF-1,2,3',
      'The columns “price” and “unit price” mean the same. Leave one of them out.',
    ],
    ['number,qty,order id\nPF-1,2,3', 'This is a file of orders: its quantities left the stock.'],
    [`number,add\n${'PF-1,1\n'.repeat(10_001)}`, 'A file has at most 10,000 lines. Split it.'],
    [
      'PK\u0003\u0004 no workbook',
      'This workbook is damaged or no XLSX file. Save it again, or save it as CSV.',
    ],
  ])('the file is refused, %#', async (file, message) => {
    const { status, body } = await sendFile(admin, file.slice(0, 200_000));
    expect([status, body.errors]).toEqual([422, [{ path: 'file', message }]]);
  });

  test('a file of another kind is refused', async () => {
    const send = (type: string) => admin.post('/product/import', '{}', { 'content-type': type });
    expect((await send('application/json')).status).toBe(415);
    expect((await send('text/html')).status).toBe(415);
    // Curl and Windows name other types for a file that the shop reads.
    for (const type of ['application/octet-stream', 'application/vnd.ms-excel'])
      expect((await send(type)).body.detail, type).toMatch(/names the columns/);
  });
});

test('the problems of a file are a file', async () => {
  const { _id } = await anImport(admin, 'number,price\nPF-NONE,5');
  const { bytes } = await downloadFile(shop, admin, { what: 'import', import: _id, part: 'problems' });
  expect(bytes.toString()).toMatch(/^\ufeffLine,Column,Problem\r\n2,number,"No part has the number PF-NONE/);
});

test('the latest files are listed', async () => {
  const { number } = await aProduct(shop);
  const { _id } = await applyFile(admin, `number,price\n${number},5`);
  await anImport(admin, `number,price\n${number},6`);
  const { body } = await admin.get('/product/import');
  expect(body.data[0]).toMatchObject({ _id, name: 'parts', state: 'applied', lines: [], problems: [] });
});

test('an unknown import is not found', async () => {
  for (const path of ['', '/apply']) {
    const method = path === '' ? 'GET' : 'POST';
    const answer = await shop.request(`/product/import/${randomUUID()}${path}`, {
      method,
      token: admin.token,
    });
    expect(answer.status).toBe(404);
  }
});
