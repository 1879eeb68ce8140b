import { formatNumber } from '@parts-forge/contract/money/papers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInvoice } from '#src/invoices/store.ts';
import { aPicture, readProduct, signedInAs } from '#test/builders.ts';
import { readActivity } from '#test/trail.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const image = `/images/${'c'.repeat(64)}-1280.webp`;

const parts = [
  {
    number: 'PF-D6101',
    name: 'OLED display assembly 6.1 inch',
    description: 'Flexible panel, 2532 x 1170 pixels, back plate of steel.',
    kind: 'Displays',
    fits: ['Norda 12', 'Norda 12 Pro'],
  },
  { number: 'PF-D5501', name: 'LCD display 5.5"', description: 'In-cell touch.', kind: 'Displays' },
  {
    number: 'PF-B5001',
    name: 'Lithium-ion pack 5,000 mAh',
    description: 'Pouch cell, 3.87 V nominal.',
    kind: 'Batteries',
    fits: ['Norda 12', 'Kite A3'],
  },
  {
    number: 'PF-B4501',
    name: 'Lithium-ion pack 4,500 mAh',
    description: 'Pouch cell, 3.85 V nominal.',
    kind: 'Batteries',
  },
  { number: 'PF-C2001', name: 'USB-C charging flex', description: 'Up to 30 W.', kind: 'Charging' },
  {
    number: 'PF-M1201',
    name: 'Rear camera 12 MP',
    description: 'Sapphire window with optical stabiliser.',
    kind: 'Cameras',
  },
  {
    number: 'PF-H1101',
    name: 'Back glass, black/white',
    description: 'With O’Hara’s glue.',
    kind: 'Housing',
  },
  { number: 'PF-L6401', name: 'Logic board 8 GB, Größe S', description: '128 GB flash.', kind: 'Boards' },
  { number: 'PF-F0301', name: 'Torx set', description: 'Of 120, in a box.', kind: 'Fixings' },
  { number: 'PF-F0302', name: 'Thermal film 0.3 mm', description: 'Écran–film.', kind: 'Flexes and sensors' },
  {
    number: 'PF-S1601',
    name: 'Earpiece',
    description: 'Mesh in place. A loudspeaker in a grey aluminium case, adhesive on its back.',
    kind: 'Sound and haptics',
  },
];
const ids = new Map<string, string>();

// Texts that buyers and clerks type, and the results of the shop's searches.
const shop = useShop({ env: { SELLER_NAME: 'Fjord Parts AS', SELLER_ADDRESS: 'Havnegata 4, Oslo' } });
const admin = usePerson(shop, 'admin', { name: 'Ada Clerk', email: 'ada@shop.example' });
beforeAll(async () => {
  await aPicture(shop, 'c'.repeat(64));
  for (const part of parts) {
    const body = { quantity: 1000, minimumOrder: 50, price: 9, image, ...part };
    const added = await admin.post('/product', body);
    expect(added.status).toBe(200);
    ids.set(part.number, added.body.insertedId);
  }
});

const ask = (query: Record<string, string>) => shop.request(`/product?${new URLSearchParams(query)}`);
const listNumbers = async (query: Record<string, string>): Promise<string[]> =>
  (await ask(query)).body.map(({ number }: { number: string }) => number);
const find = (q: string) => listNumbers({ q, sort: 'name' });

describe('search of parts', () => {
  test.each([
    'PF-D6101',
    'pf-d6101',
    'PF D6101',
    'PFD6101',
    'PF/D6101',
    'PF.D6101',
    'pf_d6101',
    'PF–D6101',
    'PF—D6101',
    'PF‑D6101',
    'PF−D6101',
    'PF\u00adD6101',
    'PF-\u200bD6101',
    '\u200ePF-D6101\u200f',
    '\ufeffPF-D6101',
    'PF-D6101,',
    'PF-D6101.',
    '"PF-D6101"',
    '“PF-D6101”',
    "'PF-D6101'",
    'PF--D6101',
    'd6101',
    'PF- D6101',
    'ＰＦ－Ｄ６１０１',
  ])('parts are found by a number typed as "%s"', async (q) => {
    expect(await find(q)).toEqual(['PF-D6101']);
  });

  test.each([
    ['5000mAh', 'PF-B5001'],
    ['5000MAH', 'PF-B5001'],
    ['5,000mAh', 'PF-B5001'],
    ['5 000 mAh', 'PF-B5001'],
    ['5’000 mAh', 'PF-B5001'],
    ['5000-mAh', 'PF-B5001'],
    ['4500mAh', 'PF-B4501'],
    ['3.87V', 'PF-B5001'],
    ['3.87 v', 'PF-B5001'],
    ['30W', 'PF-C2001'],
    ['12MP', 'PF-M1201'],
    ['12-MP', 'PF-M1201'],
    ['0.3mm', 'PF-F0302'],
    ['128GB', 'PF-L6401'],
    ['8GB', 'PF-L6401'],
    ['6.1inch', 'PF-D6101'],
    ['6.1-inch', 'PF-D6101'],
    ['6.1in', 'PF-D6101'],
    ['6.1"', 'PF-D6101'],
    ['6.1”', 'PF-D6101'],
    ['6.1″', 'PF-D6101'],
    ["6.1''", 'PF-D6101'],
    ['6.1" OLED', 'PF-D6101'],
    ['5.5"', 'PF-D5501'],
    ['5.5 inch', 'PF-D5501'],
    ['2532x1170', 'PF-D6101'],
    ['2532 × 1170', 'PF-D6101'],
  ])('parts are found by "%s", a number and its unit', async (q, number) => {
    expect(await find(q)).toEqual([number]);
  });

  test.each([
    ['usb–c', 'PF-C2001'],
    ['USBC', 'PF-C2001'],
    ['usb-', 'PF-C2001'],
    ['incell', 'PF-D5501'],
    ["O'Hara", 'PF-H1101'],
    ['o`hara´s', 'PF-H1101'],
    ['“Back glass, black”', 'PF-H1101'],
    ['white', 'PF-H1101'],
    ['ecran-film', 'PF-F0302'],
    ['groesse', 'PF-L6401'],
    ['GRÖSSE', 'PF-L6401'],
    ['e\u0301cran', 'PF-F0302'],
  ])('parts are found by "%s" without regard to its marks', async (q, number) => {
    expect(await find(q)).toEqual([number]);
  });

  test.each(['6.2"', '7.1inch', '5000 volt', '3.88V', 'PF-D6103', 'O_Malley'])(
    'no part is found by "%s"',
    async (q) => {
      expect(await find(q)).toEqual([]);
    },
  );
});

describe('USB-C and Type-C', () => {
  test.each(['type c', 'Type-C', 'TYPEC', 'typ', 'usb type c', 'usb c', 'usb–c'])(
    '"%s" finds parts with USB-C and with Type-C',
    async (q) => {
      const body = { quantity: 1000, minimumOrder: 50, price: 9, image, number: 'PF-C9', kind: 'Charging' };
      const part = { ...body, name: 'Port, Type C', description: 'Waterproof.' };
      const added = await admin.post('/product', part);
      expect(added.status).toBe(200);
      expect((await find(q)).toSorted()).toEqual(['PF-C2001', 'PF-C9']);
      await admin.delete(`/product/${added.body.insertedId}`);
    },
  );

  test('a part named USB-C comes before one that mentions it', async () => {
    const body = { quantity: 1000, minimumOrder: 50, price: 9, image, number: 'PF-H9', kind: 'Housing' };
    const part = { ...body, name: 'Frame', description: 'With a cut-out for USB-C, all types.' };
    const added = await admin.post('/product', part);
    expect(added.status).toBe(200);
    expect(await listNumbers({ q: 'type c' })).toEqual(['PF-C2001', 'PF-H9']);
    await admin.delete(`/product/${added.body.insertedId}`);
  });
});

describe('catalogue numbers', () => {
  const numbers = ['GH82-25461A/B', '661.21988', 'LCD_X S21+ 5G', '00-12/34'];
  beforeAll(async () => {
    for (const number of numbers) {
      const body = {
        quantity: 1000,
        minimumOrder: 50,
        price: 9,
        image,

        number,
        name: 'Zz',
        description: 'Zz.',
      };
      const { status } = await admin.post('/product', body);
      expect(status).toBe(200);
    }
  });
  afterAll(async () => {
    await shop.pool.query("update products set deleted_at = now() where name = 'Zz'");
  });

  test.each([
    ['GH82-25461A/B', 'GH82-25461A/B'],
    ['gh82 25461ab', 'GH82-25461A/B'],
    ['GH8225461A', 'GH82-25461A/B'],
    ['661.21988', '661.21988'],
    ['66121988', '661.21988'],
    ['LCD-X S21+', 'LCD_X S21+ 5G'],
    ['lcdx s21+ 5g', 'LCD_X S21+ 5G'],
    ['00-12/34', '00-12/34'],
    ['0012/34', '00-12/34'],
    ['00-1234', '00-12/34'],
  ])('catalogue numbers are found by "%s"', async (q, number) => {
    expect(await listNumbers({ q, similar: 'true' })).toEqual([number]);
  });

  test('a batch reads catalogue numbers, each in its line', async () => {
    const buyer = await signedInAs(shop, 'user');
    const text = `${numbers.map((number) => `${number.toLowerCase()}; 50`).join('\n')}\nGH8225461AB 50`;
    const { body } = await buyer.post('/batch/lines', { text });
    expect(body.data.map(({ product }: { product: { number: string } }) => product.number).sort()).toEqual(
      [...numbers].sort(),
    );
    expect(body.unread).toMatchObject([{ line: 5, suggestion: 'GH82-25461A/B' }]);
  });
});

describe('words of the trade', () => {
  test.each([
    ['screens', 'screen'],
    ['LCDs', 'lcd'],
    ['OLED displays', 'oled display'],
    ['batteries', 'battery'],
    ['cells', 'cell'],
    ['accumulators', 'accumulator'],
    ['ports', 'port'],
    ['coils', 'coil'],
    ['cameras', 'camera'],
    ['lenses', 'lens'],
    ['speakers', 'speaker'],
    ['motors', 'motor'],
    ['vibrations', 'vibration'],
    ['glasses', 'glass'],
    ['frames', 'frame'],
    ['trays', 'tray'],
    ['chips', 'chip'],
    ['logic boards', 'logic board'],
    ['ribbons', 'ribbon'],
    ['cables', 'cable'],
    ['screws', 'screw'],
    ['glues', 'glue'],
    ['tapes', 'tape'],
    ['boxes', 'box'],
    ['assemblies', 'assembly'],
  ])('the plural "%s" finds the same parts as "%s"', async (plural, singular) => {
    const found = await find(singular);
    expect(found.length).toBeGreaterThan(0);
    expect(await find(plural)).toEqual(found);
  });

  test.each([
    ['back cover', 'PF-H1101'],
    ['mid frame', 'PF-H1101'],
    ['cover glass', 'PF-D6101'],
    ['mainboard', 'PF-L6401'],
    ['motherboard', 'PF-L6401'],
    ['charger', 'PF-C2001'],
    ['lens', 'PF-M1201'],
  ])('"%s", a name of the shop, finds its kind', async (q, number) => {
    expect(await find(q)).toContain(number);
  });

  test.each([
    ['back-glass', 'back glass'],
    ['logic–board', 'logic board'],
    ['camera-lens 12mp', 'camera lens 12mp'],
    ['oled/lcd', 'oled lcd'],
    ['lcd+touch', 'lcd touch'],
    ['display (5.5")', 'display 5.5"'],
  ])('the joined words "%s" find the same parts as "%s"', async (joined, apart) => {
    const found = await find(apart);
    expect(found.length).toBeGreaterThan(0);
    expect(await find(joined)).toEqual(found);
  });

  test("a number's short beginning stays joined", async () => {
    expect(await find('pf battery')).not.toEqual([]);
    expect(await find('pf-battery')).toEqual([]);
  });

  test.each([
    ['norda12 display', 'PF-D6101'],
    ['norda12pro', 'PF-D6101'],
    ['Norda-12-Pro screen', 'PF-D6101'],
    ['norda 12pro', 'PF-D6101'],
    ['KiteA3 battery', 'PF-B5001'],
  ])('"%s" names a phone model without its spaces', async (q, number) => {
    expect(await find(q)).toEqual([number]);
  });

  test.each([
    ['digitizer', 'PF-D5501'],
    ['digitisers', 'PF-D5501'],
    ['vibrator', 'PF-S1601'],
    ['buzzer', 'PF-S1601'],
    ['dock flex', 'PF-C2001'],
    ['holder', 'PF-H1101'],
    ['sticker', 'PF-S1601'],
    ['aluminum', 'PF-S1601'],
    ['gray case', 'PF-S1601'],
  ])('"%s" finds a part that has another word for it', async (q, number) => {
    expect(await find(q)).toEqual([number]);
  });

  test.each(['lens', 'series', 'plus', 'glass', 'chassis', 'axis'])('"%s" is no plural', async (q) => {
    const without = q.slice(0, -1);
    const body = { ...parts[0], quantity: 1000, minimumOrder: 50, price: 9, image };
    const added = await admin.post('/product', {
      ...body,
      number: 'PF-X1',
      name: `Q${without}q`,
      kind: 'Other',
      fits: [],
      description: 'X.',
    });
    expect(await find(q)).not.toContain('PF-X1');
    await admin.delete(`/product/${added.body.insertedId}`);
  });
});

describe('similar part number', () => {
  test.each([
    'PF-D6102',
    'PFD6102',
    'pf d6102',
    'PF-D61O1',
    'pfd61o1',
    'PF-D610',
    'PF-D61011',
    'PF-D6011',
    '"PF–D6102",',
  ])('a nearly right number leads to the part: "%s"', async (q) => {
    const { body, headers } = await ask({ q, similar: 'true' });
    if (q === 'PF-D610') expect(headers.get('x-match')).toBeNull();
    else expect(headers.get('x-match')).toBe('similar');
    expect(body[0].number).toBe('PF-D6101');
  });

  test('a similar number is compared under the other filters alone', async () => {
    expect(await listNumbers({ q: 'PF-D6102', similar: 'true', kind: 'Batteries' })).toEqual([]);
  });

  test('a word without a digit is no similar number', async () => {
    expect(await listNumbers({ q: 'earpeace', similar: 'true' })).toEqual(['PF-S1601']);
  });
});

test.each([
  ['dislpay', 'PF-D6101'],
  ['batetry', 'PF-B5001'],
])('two swapped letters lead to the part: "%s"', async (q, number) => {
  expect(await listNumbers({ q })).toEqual([]);
  expect(await listNumbers({ q, similar: 'true' })).toContain(number);
});

test('similar parts resemble the search without its marks', async () => {
  expect((await listNumbers({ q: '5100MAH', similar: 'true' })).sort()).toEqual(['PF-B4501', 'PF-B5001']);
});

describe('several words', () => {
  test.each([
    ['norda 12 display original', 'PF-D6101'],
    ['oled dispaly 6.1 inch', 'PF-D6101'],
    ['charging flex for usb', 'PF-C2001'],
    ['rear facing camera', 'PF-M1201'],
    ['kite a3 pack & adhesive', 'PF-B5001'],
  ])('all words but one lead to the part: "%s"', async (q, number) => {
    const { body, headers } = await ask({ q, similar: 'true' });
    expect(headers.get('x-match')).toBe('similar');
    expect(body[0].number).toBe(number);
  });

  test('a mistyped word leads to the part of a similar model', async () => {
    expect((await listNumbers({ q: 'norda 12 dispaly', similar: 'true' }))[0]).toBe('PF-D6101');
  });
});

describe('search without a chosen order', () => {
  test.each([
    ['lcd', 'PF-D5501'],
    ['back cover', 'PF-H1101'],
    ['glass', 'PF-H1101'],
    ['film', 'PF-F0302'],
    ['8gb', 'PF-L6401'],
    ['display oled', 'PF-D6101'],
    ['pfd6101', 'PF-D6101'],
    ['lens', 'PF-M1201'],
  ])('the search shows the best match for "%s" first', async (q, number) => {
    expect((await listNumbers({ q }))[0]).toBe(number);
    expect(await listNumbers({ q, sort: 'match' })).toEqual(await listNumbers({ q }));
  });

  test('a part with that number comes before parts that name it', async () => {
    const body = { ...parts[0], quantity: 1000, minimumOrder: 50, price: 9, image };
    const name = 'Tool PF-D6101 PF-D6101';
    const added = await admin.post('/product', { ...body, number: 'PF-D6101X', name, fits: [] });
    expect(await listNumbers({ q: 'pf/d6101' })).toEqual(['PF-D6101', 'PF-D6101X']);
    expect(await listNumbers({ q: 'pf/d6101', sort: 'newest' })).toEqual(['PF-D6101X', 'PF-D6101']);
    await admin.delete(`/product/${added.body.insertedId}`);
  });

  test('each part appears once across all pages', async () => {
    const all = await listNumbers({ q: 'p' });
    const paged: string[] = [];
    for (let next: string | undefined = '/product?q=p&limit=2'; next; ) {
      const { body, headers } = await shop.request(next);
      paged.push(...body.map(({ number }: { number: string }) => number));
      next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(all).toHaveLength(parts.length);
    expect(paged).toEqual(all);
  });

  test('a chosen order wins, and without words the newest come first', async () => {
    const newest = parts.map(({ number }) => number).reverse();
    expect(await listNumbers({ q: 'pf', sort: 'newest' })).toEqual(newest);
    expect(await listNumbers({ sort: 'match' })).toEqual(newest);
    expect(await listNumbers({ q: '"', sort: 'match' })).toEqual(newest);
    expect(await listNumbers({})).toEqual(newest);
  });
});

let paid: string;
let number: string;
const findOrders = async (q: string): Promise<string[]> =>
  (await admin.get(`/order?q=${encodeURIComponent(q)}`)).body.data.map((order: { number: number }) =>
    String(order.number),
  );

beforeAll(async () => {
  const part = await readProduct(shop, ids.get('PF-D6101') ?? '');
  const buyer = await signedInAs(shop, 'user', { name: 'Jörg O’Connor', email: 'jo@connor.example' });
  const other = await signedInAs(shop, 'user', { name: 'Li Wen', email: 'li@wen.example' });
  const order = await buyer.orders(part);
  await other.orders(await readProduct(shop, ids.get('PF-S1601') ?? ''));
  paid = String(order.number);
  await buyer.pays(order);
  const invoice = await findInvoice(shop.db, order._id);
  number = invoice ? formatNumber(invoice) : 'none';
  await shop.pool.query(
    `update orders set reference = 'PO–2026/17', address = $1, phone = '+44 113 243 0961' where number = $2`,
    ['5 King’s Road, flat 3‑4\nMary–le–Bow', order.number],
  );
});

describe('search of orders', () => {
  test.each([
    "O'Connor",
    'O’Connor',
    'oconnor',
    "King's Road",
    'kings road',
    'PO-2026/17',
    'po 2026/17',
    'PO–2026/17',
    '3-4',
    'Mary-le-Bow',
    'Mary Bow',
    '113–243–0961',
    '+44\u2011113\u2011243\u20110961',
    'Joerg',
    'Jorg',
    'jörg o‘connor',
    'J\u00adörg',
    '\u200bjo@connor.example',
    'oled 6.1"',
    'display-assembly',
    'pf–d6101',
    'PFD6101',
    'PO: 2026/17',
    'PO 2026/17',
    'PO:2026/17',
    'PO#2026/17',
    'PO no. 2026/17',
    'P.O. 2026/17',
    'Ref: 2026/17',
    'reference: PO-2026/17',
    'PO',
  ])('orders are found by "%s"', async (q) => {
    expect(await findOrders(q)).toEqual([paid]);
  });

  test.each([
    '%',
    '%.',
    ' % ',
    '#%',
    '# %',
    'No. %',
    'no %',
    'No.%',
    'order %',
    'Order no. %',
    'order #%',
    '№ %',
    'No: %',
    'order: %',
    'Order#%',
    'order number %',
  ])('orders are found by their number typed as "%s"', async (form) => {
    expect(await findOrders(form.replace('%', paid))).toEqual([paid]);
    expect(await findOrders(form.replace('%', `${paid.slice(0, 2)},${paid.slice(2)}`))).toEqual([paid]);
  });

  test.each(['Orders %, 99998', 'orders %, 99998 and 4 more placed'])(
    'a batch mail\'s subject such as "%s" finds its first order',
    async (form) => {
      expect(await findOrders(form.replace('%', paid))).toEqual([paid]);
    },
  );
});

describe('invoice number', () => {
  const events = async (q: string): Promise<string[]> =>
    (await readActivity(shop, `?q=${encodeURIComponent(q)}`)).map(({ event }) => event);

  test.each(['%', '%.', ' % ', 'Invoice %', 'invoice no. %', 'INV-%', '# %', 'Invoice: %'])(
    'an invoice number typed as "%s" leads to its order',
    async (form) => {
      expect(await findOrders(form.replace('%', number))).toEqual([paid]);
      expect(await findOrders(form.replace('%', number.replace('-', '–')))).toEqual([paid]);
      expect(await events(form.replace('%', number))).toEqual(['paid']);
    },
  );

  test('an invoice number leads to no other order', async () => {
    expect(await findOrders(number.replace(/.$/, '9'))).toEqual([]);
    expect(await findOrders(`CN-${number}`)).toEqual([]);
    expect(await findOrders(`1999${number.slice(4)}`)).toEqual([]);
    expect(await findOrders('2026-99999999999')).toEqual([]);
  });
});

describe('search of the activity', () => {
  test.each(['PF-F0302', 'PFF0302', 'pf/f0302', 'thermal 0.3mm', 'thermal-film', 'THÉRMAL'])(
    'the activity of a part is found by "%s"',
    async (q) => {
      expect(await readActivity(shop, `?q=${encodeURIComponent(q)}`)).toMatchObject([
        { event: 'product-added', product: { name: 'Thermal film 0.3 mm' } },
      ]);
    },
  );

  test.each(['Ada Clerk', 'clerk ada', 'ÅDÀ clerk'])('activity of a person is found by "%s"', async (q) => {
    expect((await readActivity(shop, `?q=${encodeURIComponent(q)}`)).length).toBeGreaterThan(5);
  });
});

describe('search of people', () => {
  beforeAll(async () => {
    await signedInAs(shop, 'user', { name: 'Zoë O’Brien', email: 'zoe@brien.example' });
    await signedInAs(shop, 'user', { name: 'Anna Müller–Lüden', email: 'a.mueller@lueden.example' });
    await signedInAs(shop, 'user', { name: 'Otto Goethe', email: 'otto@weimar.example' });
  });

  test.each([
    ["o'brien", 'Zoë O’Brien'],
    ['O’Brien', 'Zoë O’Brien'],
    ['zoe brien', 'Zoë O’Brien'],
    ['brien zoe', 'Zoë O’Brien'],
    ['zoë-brien', 'Zoë O’Brien'],
    ['Mueller', 'Anna Müller–Lüden'],
    ['Muller', 'Anna Müller–Lüden'],
    ['Müller-Lueden', 'Anna Müller–Lüden'],
    ['mueller@', 'Anna Müller–Lüden'],
    ['Goethe', 'Otto Goethe'],
    ['Göthe', 'Otto Goethe'],
    ['ot\u200bto', 'Otto Goethe'],
  ])('people are found by "%s"', async (q, name) => {
    const { body } = await admin.get(`/user?q=${encodeURIComponent(q)}`);
    expect(body.map((user: { name: string }) => user.name)).toEqual([name]);
  });
});
