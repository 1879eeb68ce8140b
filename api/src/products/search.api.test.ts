import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { aPicture } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const image = `/images/${'b'.repeat(64)}-1280.webp`;

const parts = [
  {
    number: 'PF-D6101',
    name: 'OLED display assembly 6.1 inch',
    description: 'Flexible panel bonded to its cover glass. 2532 x 1170 pixels.',
    kind: 'Displays',
    fits: ['Norda 12', 'Norda 12 Pro'],
    price: 64.5,
  },
  {
    number: 'PF-B4501',
    name: 'Lithium-ion pack 4,500 mAh',
    description: 'Pouch cell, 3.87 V nominal.\nProtection board.',
    kind: 'Batteries',
    fits: ['Norda 12', 'Vela 9'],
    attributes: [{ name: 'Connector', value: 'ZIF 40-pin' }],
    price: 8.9,
  },
  {
    number: 'PF-C2001',
    name: 'USB-C charging flex',
    description: 'Receptacle on a rigid-flex board, 100% tested, Größe S.',
    kind: 'Charging',
    fits: ['Vela 9'],
    price: 3.6,
    minimumOrder: 200,
  },
  { number: 'PF-W15', name: 'Écran Ünique', description: 'Вибромотор.', price: 2 },
];

const shop = useShop();
const admin = usePerson(shop, 'admin');
beforeAll(async () => {
  await aPicture(shop, 'b'.repeat(64));
  for (const part of parts) {
    const body = { quantity: 1000, minimumOrder: 50, image, ...part };
    expect((await admin.post('/product', body)).status).toBe(200);
  }
});

const ask = (query: Record<string, string>) => shop.request(`/product?${new URLSearchParams(query)}`);
const find = async (q: string, more: Record<string, string> = {}) =>
  (await ask({ q, sort: 'name', ...more })).body.map(({ number }: { number: string }) => number) as string[];
const [display, battery, charging, screen] = parts.map(({ number }) => number);

describe('a product search', () => {
  test.each([
    ['oled 6.1', [display]],
    ['6.1 OLED', [display]],
    ['pf-w15', [screen]],
    ['usb c', [charging]],
    ['bonded', [display]],
    ['norda panel', [display]],
    ['norda 12 display', [display]],
    ['norda 12', [battery, display]],
    ['vela 9', [battery, charging]],
    ['batteries', [battery]],
    ['connector 40-pin', [battery]],
    ['oled battery', []],
  ])('matches "%s" across name, number, description, kind, models and attributes', async (q, found) => {
    expect((await find(q)).sort()).toEqual([...found].sort());
  });

  test.each([
    ['lcd', display],
    ['accumulator', battery],
    ['coil', charging],
  ])('knows "%s" as a synonym of a kind', async (q, found) => {
    expect(await find(q)).toEqual([found]);
  });

  test.each(['4,500', '4500', '4 500', '4 500 mah', '4,50'])(
    'ignores commas and spaces inside numbers: "%s"',
    async (q) => {
      expect(await find(q)).toEqual([battery]);
    },
  );

  test('does not join separate numbers', async () => {
    expect(await find('2532 1170')).toEqual([display]);
  });

  test.each([
    ['ECRAN UNIQUE', screen],
    ['écran', screen],
    ['e\u0301cran', screen],
    ['grosse s', charging],
    ['GRÖSSE', charging],
    ['ВИБРО', screen],
  ])('ignores case and accents in "%s"', async (q, found) => {
    expect(await find(q)).toEqual([found]);
  });

  test.each([
    ['%', []],
    ['100%', [charging]],
    ['_', []],
    ['\\', []],
    ['*', []],
    ["'; drop table products; --", []],
    ['ж', []],
    ['ш', []],
    ['qj', []],
    ['в', [screen]],
    ['вм', []],
  ])('takes every character of "%s" literally', async (q, found) => {
    expect(await find(q)).toEqual(found);
  });

  test.each([
    ['usb & flex', [charging]],
    ['§ 4,500 →', [battery]],
    ['§', []],
    ['& →', []],
  ])('ignores marks between words, and finds none by marks alone: "%s"', async (q, found) => {
    expect(await find(q)).toEqual(found);
    expect(await find(q, { similar: 'true' })).toEqual(found);
  });

  test.each(['\u0301', ' \u00a0 '])('shows all parts for %o, which has no words', async (q) => {
    expect(await find(q)).toHaveLength(parts.length);
  });

  test('sorts and paginates like the list', async () => {
    const first = await ask({ q: 'board', sort: 'price', limit: '1' });
    expect(first.headers.get('x-total-count')).toBe('2');
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await shop.request(next);
    expect([...first.body, ...second.body].map(({ number }) => number)).toEqual([charging, battery]);
    expect(second.headers.get('link')).toBeNull();
  });
});

describe('the filters kind and fits', () => {
  test('combine with each other and with a search', async () => {
    expect(await find('', { kind: 'Displays' })).toEqual([display]);
    expect(await find('', { kind: 'Other' })).toEqual([screen]);
    expect((await find('', { fits: 'Norda 12' })).sort()).toEqual([battery, display].sort());
    expect(await find('', { fits: 'Norda 12', kind: 'Batteries' })).toEqual([battery]);
    expect(await find('usb', { fits: 'Norda 12' })).toEqual([]);
  });

  test('match exactly', async () => {
    expect(await find('', { fits: 'norda' })).toEqual([]);
    expect((await ask({ kind: 'Screens' })).body.errors).toMatchObject([{ path: 'kind' }]);
  });
});

describe('similar parts', () => {
  test('replace an empty result, most similar first, with a header', async () => {
    const { body, headers } = await ask({ q: 'ulsb-c charging', similar: 'true' });
    expect(body[0].number).toBe(charging);
    expect(headers.get('x-match')).toBe('similar');
    expect(headers.get('x-total-count')).toBe(String(body.length));
  });

  test('need similar=true and an empty result, and obey other filters', async () => {
    expect(await find('asembly')).toEqual([]);
    expect(await find('asembly', { similar: 'true' })).toEqual([display]);
    expect((await ask({ q: 'assembly', similar: 'true' })).headers.get('x-match')).toBeNull();
    expect(await find('asembly', { similar: 'true', kind: 'Batteries' })).toEqual([]);
    const { body, headers } = await ask({ q: 'zzzzzz', similar: 'true' });
    expect([body, headers.get('x-match'), headers.get('x-total-count')]).toEqual([[], null, '0']);
  });
});

describe('the facets', () => {
  const facets = async (query: Record<string, string> = {}) =>
    (await shop.request(`/product/facets?${new URLSearchParams(query)}`)).body;

  test('count every kind and model that has a part', async () => {
    expect(await facets()).toEqual({
      kinds: [
        { kind: 'Displays', count: 1 },
        { kind: 'Batteries', count: 1 },
        { kind: 'Charging', count: 1 },
        { kind: 'Other', count: 1 },
      ],
      fits: [
        { model: 'Norda 12', count: 2 },
        { model: 'Norda 12 Pro', count: 1 },
        { model: 'Vela 9', count: 2 },
      ],
    });
  });

  test('count under all filters but their own', async () => {
    expect(await facets({ kind: 'Displays' })).toMatchObject({
      kinds: [{ kind: 'Displays' }, { kind: 'Batteries' }, { kind: 'Charging' }, { kind: 'Other' }],
      fits: [
        { model: 'Norda 12', count: 1 },
        { model: 'Norda 12 Pro', count: 1 },
      ],
    });
    expect(await facets({ fits: 'Norda 12', q: 'pack' })).toEqual({
      kinds: [{ kind: 'Batteries', count: 1 }],
      fits: [
        { model: 'Norda 12', count: 1 },
        { model: 'Vela 9', count: 1 },
      ],
    });
    expect(await facets({ fits: 'Norda 12', kind: 'Charging' })).toEqual({
      kinds: [
        { kind: 'Displays', count: 1 },
        { kind: 'Batteries', count: 1 },
      ],
      fits: [{ model: 'Vela 9', count: 1 }],
    });
  });

  test('follow additions and sold-out parts', async () => {
    const body = { ...parts[0], number: 'PF-D9', quantity: 1000, minimumOrder: 50, image };
    const { insertedId } = (await admin.post('/product', body)).body;
    const displays = async (query: Record<string, string> = {}) =>
      (await facets(query)).kinds.find(({ kind }: { kind: string }) => kind === 'Displays').count;
    expect([await displays(), await displays({ available: 'true' })]).toEqual([2, 2]);
    const restocked = { method: 'PUT', token: admin.token, body: { quantity: 49 } } as const;
    await shop.request(`/product/${insertedId}`, restocked);
    expect([await displays(), await displays({ available: 'true' })]).toEqual([2, 1]);
    await admin.delete(`/product/${insertedId}`);
    expect(await displays()).toBe(1);
  });
});

describe('the words of a phone model', () => {
  let camera: string;
  beforeAll(async () => {
    const { body } = await admin.post('/product', {
      number: 'PF-C5003',
      name: 'Rear camera, 12-way connector',
      description: 'With protection film.',
      kind: 'Cameras',
      fits: ['Norda 14', 'Élan X'],
      price: 31.2,
      quantity: 1000,
      minimumOrder: 50,
      image,
    });
    camera = 'PF-C5003';
    expect(body.insertedId).toBeDefined();
  });

  test.each([
    ['norda 12 pro', [display]],
    ['NORDA  12 Pro oled', [display]],
    ['display norda 12 pro', [display]],
    ['norda 12', [battery, display]],
    ['norda 12 norda', [battery, display]],
  ])('match only together in "%s"', async (q, found) => {
    expect((await find(q)).sort()).toEqual([...found].sort());
    const { kinds } = (await shop.request(`/product/facets?${new URLSearchParams({ q })}`)).body;
    expect(kinds.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(found.length);
  });

  test.each(['elan x', 'Élan X camera', 'norda 14 12-way', '12 norda pro'])(
    'ignore case and accents and combine with others: "%s"',
    async (q) => {
      expect(await find(q)).toContain(camera);
    },
  );

  test.each(['nodra 14', 'norde 14', 'elanx'])('resemble the misspelled "%s"', async (q) => {
    expect(await find(q)).toEqual([]);
    const { body, headers } = await ask({ q, similar: 'true' });
    expect(headers.get('x-match')).toBe('similar');
    expect(body[0]).toMatchObject({ number: camera });
  });
});

describe('another spelling', () => {
  const add = async (number: string, name: string) => {
    const body = { number, name, description: 'A part.', price: 5, quantity: 1000, minimumOrder: 50, image };
    expect((await admin.post('/product', body)).status).toBe(200);
  };
  beforeAll(async () => {
    await add('PF-T1', 'Touch panel with screen frame');
    await add('PF-T2', 'Touchscreen unit');
    await add('PF-H1', 'Back cover, glass, black');
    await add('PF-H2', 'SIM tray in a mid frame');
    await add('PF-M1', 'Front camera 12 MP with charging port');
    await add('PF-M2', 'Memory 256 GB');
    await add('PF-M3', 'Memory 256 gigabyte, old label');
    await add('PF-A1', 'Cell 4500 mAh');
    await add('PF-A2', 'Cell 4.5 Ah');
  });

  test.each([
    ['touchscreen', 'touch screen', ['PF-T1', 'PF-T2']],
    ['Touchscreens', 'touch screen', ['PF-T1', 'PF-T2']],
    ['backcover', 'back cover', ['PF-H1']],
    ['coverglass', 'cover glass', ['PF-H1']],
    ['backglass', 'back glass', ['PF-H1']],
    ['simtray', 'sim tray', ['PF-H2']],
    ['midframe', 'mid frame', ['PF-H2']],
    ['frontcamera', 'front camera', ['PF-M1']],
    ['chargingport', 'charging port', ['PF-M1']],
  ])('"%s" finds the same as "%s"', async (joined, apart, found) => {
    const parts = await find(joined);
    expect(parts).toEqual(expect.arrayContaining(found));
    expect(parts).toEqual(await find(apart));
  });

  test.each([
    ['12 megapixel', ['PF-M1']],
    ['12-megapixels', ['PF-M1']],
    ['256 gigabyte', ['PF-M2', 'PF-M3']],
    ['256gigabytes', ['PF-M2', 'PF-M3']],
    ['4.5 Ah', ['PF-A1', 'PF-A2', battery]],
    ['4,5Ah', ['PF-A1', 'PF-A2', battery]],
    ['cell 4.5 ah', ['PF-A1', 'PF-A2', battery]],
  ])('"%s" finds the sign of its unit', async (q, found) => {
    expect((await find(q)).toSorted()).toEqual(found.toSorted());
  });
});

test.each(['C', 'und-x-icu', 'tr-x-icu'])(
  'normalized fields stay separate under the collation %s',
  async (collation) => {
    const { rows } = await shop.pool.query(
      `select normalize_search(E'Norda  12\\x1f350\\tmAh \\x1f 23\\x1f\\x1f' collate "${collation}") as text`,
    );
    expect(rows).toEqual([{ text: 'norda 12\u001f350 mah \u001f 23\u001f\u001f' }]);
  },
);

describe('a short word', () => {
  const describePart = async (description: string) => {
    const { rowCount } = await shop.services.changes.write((tx, changed) => {
      changed('products', 'catalogue');
      return tx.execute(sql`update products set description = ${description} where number = ${battery}`);
    });
    expect(rowCount).toBe(1);
  };

  test.each([
    ['zk', 'zk'],
    ['zk', 'Type zka'],
    ['zk', 'Type\nzk-7'],
    ['zk', 'Type (zk)'],
    ['(zk)', 'Type zk.'],
    ['zk', 'zk\\'],
    ['zk$', 'Type zk$'],
    ['zk', 'Type zkж'],
    ['zk', 'Type zk漢'],
    ['漢', 'Type 漢字'],
    ['7.4', '7.4 V'],
    ['74', 'For 73/74'],
  ])('"%s" matches the beginning of a word, as in "%s"', async (q, description) => {
    await describePart(description);
    expect(await find(q)).toEqual([battery]);
  });

  test.each([
    ['zk', 'Type azk'],
    ['zk$', 'Type zk'],
    ['^zk', 'Type zk'],
    ['7.4', '17.4 V'],
    ['z%', 'Type zk'],
  ])('"%s" does not match "%s"', async (q, description) => {
    await describePart(description);
    expect(await find(q)).toEqual([]);
  });
});
