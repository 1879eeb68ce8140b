import { randomUUID } from 'node:crypto';
import type { BatchLine, UnreadBatchLine } from '@parts-forge/contract/orders/batch';
import type { Product } from '@parts-forge/contract/products/products';
import { afterEach, describe, expect, test } from 'vitest';
import { requestKeys } from '#src/platform/database/schema.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { readCode } from '#test/paying.ts';
import { preparedForEach, usePerson, useShop } from '#test/use-shop.ts';
import { awaitWaiting, queueBehind, whileLocked } from '#test/waiting-statements.ts';

// Slow machines must not fail the races with an account deletion.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000' } });
const customer = preparedForEach(() => signedInAs(shop, 'user'));

const ask = (method: string, path: string, body?: object, { token } = customer) =>
  shop.request(path, { method, token, ...(body && { body }) });
const set = (product: Pick<Product, '_id'>, quantity: unknown) =>
  ask('PUT', `/batch/${product._id}`, { quantity });
const readList = async (person = customer): Promise<BatchLine[]> =>
  (await ask('GET', '/batch', undefined, person)).body.data;
const readQuantities = async () => (await readList()).map(({ product, quantity }) => [product._id, quantity]);
const expectLines = async (...lines: [Pick<Product, '_id'>, number][]) =>
  expect(await readQuantities()).toEqual(lines.map(([{ _id }, quantity]) => [_id, quantity]));
const paste = (text: string) => ask('POST', '/batch/lines', { text });
const join = (lines: readonly (readonly [string, number])[], id: string = randomUUID()) =>
  ask('POST', '/batch/join', {
    join: id,
    lines: lines.map(([productId, quantity]) => ({ productId, quantity })),
  });
const deleteProduct = async ({ _id }: Product) =>
  ask('DELETE', `/product/${_id}`, undefined, await signedInAs(shop, 'admin'));

describe('the saved batch', () => {
  test('starts empty and keeps lines in the order of their addition', async () => {
    expect(await readList()).toEqual([]);
    const [first, second] = [await aProduct(shop), await aProduct(shop)];
    await set(second, 100);
    const answer = await set(first, 50);
    expect(answer.body.data).toMatchObject([
      { product: { _id: second._id, number: second.number }, quantity: 100, price: 19.99 },
      { product: { _id: first._id }, quantity: 50 },
    ]);
    await set(second, 49);
    await expectLines([second, 49], [first, 50]);
  });

  test('belongs to one customer', async () => {
    await set(await aProduct(shop), 50);
    expect(await readList(await signedInAs(shop, 'user'))).toEqual([]);
  });

  test('accepts any possible stock as a quantity', async () => {
    const product = await aProduct(shop, { minimumOrder: 50, orderStep: 25 });
    expect((await set(product, 1)).status).toBe(200);
    expect((await set(product, 100_000_000)).status).toBe(200);
    for (const quantity of [0, -1, 1.5, 100_000_001, '5', null]) {
      expect((await set(product, quantity)).status, String(quantity)).toBe(422);
    }
  });

  test("keeps the price of a line's last change", async () => {
    const product = await aProduct(shop, { price: 2.75, priceBreaks: [{ quantity: 400, price: 2.5 }] });
    await set(product, 400);
    await shop.services.changes.write(async (tx, changed) => {
      await tx.execute(
        `update products set price_cents = 290, price_breaks = '[]' where id = '${product._id}'`,
      );
      changed('products');
    });
    expect(await readList()).toMatchObject([{ price: 2.5, product: { price: 2.9 } }]);
    await set(product, 300);
    expect(await readList()).toMatchObject([{ price: 2.9 }]);
  });

  test('marks deleted parts as gone', async () => {
    const [gone, kept] = [await aProduct(shop), await aProduct(shop)];
    await set(gone, 50);
    await set(kept, 50);
    await deleteProduct(gone);
    const [first, second] = await readList();
    expect(first).toMatchObject({ gone: true, product: { name: gone.name }, quantity: 50 });
    expect(second).not.toHaveProperty('gone');
    expect((await set(gone, 60)).body.data[0]).toMatchObject({ gone: true, quantity: 60 });
    expect((await ask('DELETE', `/batch/${gone._id}`)).body).toEqual({ deletedCount: 1 });
    expect((await set(gone, 60)).status).toBe(404);
  });

  test('removes one line or all, and ignores missing lines', async () => {
    const products = [await aProduct(shop), await aProduct(shop), await aProduct(shop)];
    for (const product of products) await set(product, 50);
    expect((await ask('DELETE', `/batch/${products[0]?._id}`)).body).toEqual({ deletedCount: 1 });
    expect((await ask('DELETE', `/batch/${products[0]?._id}`)).body).toEqual({ deletedCount: 0 });
    expect((await ask('DELETE', '/batch')).body).toEqual({ deletedCount: 2 });
    expect(await readList()).toEqual([]);
  });

  test('several lines are set and removed at once, or none', async () => {
    const [known, fresh, gone] = [await aProduct(shop), await aProduct(shop), await aProduct(shop)];
    await set(known, 50);
    await set(gone, 50);
    await deleteProduct(gone);
    const setAll = (...lines: [Pick<Product, '_id'>, number][]) =>
      ask('PATCH', '/batch', {
        lines: lines.map(([{ _id }, quantity]) => ({ productId: _id.toUpperCase(), quantity })),
      });
    const unknown = await setAll([known, 0], [{ _id: randomUUID() }, 5]);
    expect([unknown.status, await readQuantities()]).toMatchObject([404, [[known._id, 50], {}]]);
    const { status, body } = await setAll([known, 0], [fresh, 60], [gone, 70]);
    expect([status, body.data.length]).toEqual([200, 2]);
    await expectLines([gone, 70], [fresh, 60]);
    expect((await setAll([gone, 0])).status).toBe(200);
    expect((await setAll([gone, 5])).status).toBe(404);
    expect((await setAll([{ _id: 'x' }, 0])).status).toBe(422);
    expect((await setAll([fresh, -1])).status).toBe(422);
  });

  test('answers 404 for an unknown part or a malformed id', async () => {
    expect((await set({ _id: randomUUID() }, 50)).status).toBe(404);
    expect((await set({ _id: 'x' }, 50)).status).toBe(404);
  });

  test('has at most 100 lines, also after concurrent additions', async () => {
    const products = await Promise.all(Array.from({ length: 103 }, () => aProduct(shop)));
    await join(products.slice(0, 98).map(({ _id }) => [_id, 50]));
    const answers = await Promise.all(products.slice(98).map((product) => set(product, 50)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = answers.find(({ status }) => status !== 200);
    expect([refused?.status, refused && readCode(refused)]).toEqual([409, 'batch-full']);
    const [known] = products as [Product];
    expect((await set(known, 60)).status).toBe(200);
    const all = products.map(({ _id }) => ({ productId: _id, quantity: 5 }));
    expect(readCode(await ask('PATCH', '/batch', { lines: all }))).toBe('batch-full');
    const last = products[102] as Product;
    const { unread, data } = (await paste(`${last.number} 50\n${known.number} 5`)).body;
    const isIn = data.some(({ product }: BatchLine) => product._id === last._id);
    expect(unread).toEqual(
      isIn ? [] : [{ line: 1, text: `${last.number} 50`, reason: 'A batch has at most 100 lines.' }],
    );
    expect(data).toHaveLength(100);
  });
});

describe('what fits instead of a line', () => {
  const aDisplay = (wanted: Partial<Product> = {}) =>
    aProduct(shop, { kind: 'Displays', fits: ['Norda 12', `Ovo ${customer.userId}`], ...wanted });

  test('stands on short and removed lines alone', async () => {
    const [short, gone, ready] = [await aDisplay({ quantity: 60 }), await aDisplay(), await aDisplay()];
    const scarce = await aProduct(shop, { quantity: 40, minimumOrder: 50 });
    for (const [part, quantity] of [
      [short, 120] as const,
      [gone, 50] as const,
      [ready, 50] as const,
      [scarce, 1] as const,
    ])
      await set(part, quantity);
    await deleteProduct(gone);
    const other = [{ product: { _id: ready._id }, fits: 2, of: 2, quantity: 120 }];
    const lines = await readList();
    expect(lines).toMatchObject([
      { instead: other },
      {
        gone: true,
        instead: [{ product: { _id: short._id }, quantity: 50 }, { product: { _id: ready._id } }],
      },
      {},
      { instead: [] },
    ]);
    expect(lines[2]).not.toHaveProperty('instead');
  });
});

describe('pasted lines', () => {
  test('add to the batch by part number and report the rest', async () => {
    const [display, battery] = [await aProduct(shop), await aProduct(shop)];
    await set(battery, 100);
    const { status, body } = await paste(
      [
        'Part number, quantity',
        `${display.number.toLowerCase()}, 250`,
        `${battery.number};20`,
        `${display.number}\t50`,
        'batteries 500',
        `${battery.number}; many`,
      ].join('\r\n'),
    );
    expect(status).toBe(200);
    await expectLines([battery, 120], [display, 300]);
    expect(body.data).toHaveLength(2);
    expect(body.lines).toEqual([
      { line: 2, productId: display._id, before: 0 },
      { line: 3, productId: battery._id, before: 100 },
    ]);
    expect(body).toMatchObject({
      added: 3,
      read: '3 of 5 lines read, 2 into a line of the same part. The pieces stand in “quantity”.',
    });
    expect(body.unread).toEqual([
      {
        line: 5,
        text: 'batteries 500',
        reason: '“batteries” is no part number.',
        search: 'batteries',
        asked: { name: 'batteries', quantity: 500 },
      },
      { line: 6, text: `${battery.number}; many`, reason: '“many” is not a quantity.' },
    ] satisfies UnreadBatchLine[]);
  });

  test('suggest the most similar part number', async () => {
    const product = await aProduct(shop);
    await shop.pool.query("update products set number = 'PF-D6101' where id = $1", [product._id]);
    const { unread } = (await paste('PF-D610I, 250\nQQ-99XX88, 10')).body;
    expect(unread).toMatchObject([
      { line: 1, suggestion: 'PF-D6101', asked: { name: 'PF-D610I', quantity: 250 } },
      { line: 2, reason: 'No part has this number.', asked: { name: 'QQ-99XX88', quantity: 10 } },
    ]);
    expect(unread[1]).not.toHaveProperty('suggestion');
  });

  test('get suggestions only within the limit of compared characters', async () => {
    const { number } = await aProduct(shop);
    const wrong = `${number}0, 50`;
    const long = Array.from({ length: 4 }, (_, index) => `${'X1'.repeat(31)}${index}, 50`).join('\n');
    const suggest = async (text: string) => (await paste(text)).body.unread.at(-1).suggestion;
    expect(await suggest(`${long}\n${wrong}`)).toBe(number);
    expect(await suggest(`${long}\n${long}\n${wrong}`)).toBeUndefined();
  });

  test('skip quantities above the largest possible stock with a reason', async () => {
    const { number } = await aProduct(shop);
    const { data, unread } = (await paste(`${number} 60000000\n${number} 60000000`)).body;
    expect(data).toMatchObject([{ quantity: 60_000_000 }]);
    const reason = 'A part can have no more than 100,000,000 pieces in the batch.';
    expect(unread).toEqual([{ line: 2, text: `${number} 60000000`, reason }]);
  });

  test('have at most 20,000 characters', async () => {
    expect((await paste('x'.repeat(20_000))).status).toBe(200);
    expect((await paste('x'.repeat(20_001))).status).toBe(422);
    expect((await paste('')).body).toMatchObject({ data: [], unread: [] });
  });
});

describe('the list of a browser', () => {
  test('merges into the saved batch once per id', async () => {
    const [known, fresh] = [await aProduct(shop), await aProduct(shop)];
    await set(known, 100);
    const id = randomUUID();
    const lines = [
      [known._id, 50],
      [fresh._id.toUpperCase(), 60],
    ] as const;
    const answers = await Promise.all([join(lines, id), join(lines, id), join(lines, id.toUpperCase())]);
    for (const { body } of answers) expect(body.data).toHaveLength(2);
    await expectLines([known, 150], [fresh, 60]);
    await join(lines);
    await expectLines([known, 200], [fresh, 120]);
  });

  test('skips unknown and deleted parts', async () => {
    const [gone, good] = [await aProduct(shop), await aProduct(shop)];
    await deleteProduct(gone);
    const { body } = await join([
      [gone._id, 50],
      ['no id', 50],
      [good._id, 50],
    ]);
    await expectLines([good, 50]);
    expect(body.left).toEqual([
      { productId: gone._id, name: gone.name, reason: 'gone' },
      { productId: 'no id', reason: 'gone' },
    ]);
  });

  test('names the lines without room, also for a repeat', async () => {
    const products = await Promise.all(Array.from({ length: 101 }, () => aProduct(shop)));
    await join(products.slice(0, 99).map(({ _id }) => [_id, 50]));
    const [large] = products;
    const [fits, last] = products.slice(99);
    if (!large || !fits || !last) throw new Error('Three parts are needed.');
    const lines = [
      [large._id, 100_000_000],
      [fits._id, 50],
      [last._id, 50],
    ] as const;
    const id = randomUUID();
    const left = [
      { productId: large._id, name: large.name, reason: 'above-limit' },
      { productId: last._id, name: last.name, reason: 'batch-full' },
    ];
    expect((await join(lines, id)).body.left).toEqual(left);
    expect((await join(lines, id)).body.left).toEqual(left);
  });

  test('needs a UUID and has at most 100 lines', async () => {
    expect((await join([], 'x')).status).toBe(422);
    const tooMany = Array.from({ length: 101 }, () => [randomUUID(), 1] as const);
    expect((await join(tooMany)).status).toBe(422);
  });

  test('writes nothing without lines', async () => {
    const before = await shop.db.$count(requestKeys);
    await set(await aProduct(shop), 50);
    const { status, body } = await join([]);
    expect([status, body.data.length]).toEqual([200, 1]);
    expect(await shop.db.$count(requestKeys)).toBe(before);
  });
});

describe('the batch of an account', () => {
  test("is part of the account's data export", async () => {
    const product = await aProduct(shop);
    await set(product, 50);
    const data = await ask('GET', `/user/${encodeURIComponent(customer.email)}/data`);
    expect(data.body.batch).toEqual([
      { product: product._id, name: product.name, quantity: 50, at: expect.any(String) },
    ]);
  });

  test.each(['by an administrator', 'by themselves'])(
    'disappears together with an account deleted %s',
    async (by) => {
      await set(await aProduct(shop), 50);
      await join([[randomUUID(), 50]]);
      const deleter = by === 'by themselves' ? customer : await signedInAs(shop, 'admin');
      const { status } = await ask(
        'DELETE',
        `/user/${encodeURIComponent(customer.email)}`,
        undefined,
        deleter,
      );
      expect(status).toBe(200);
      for (const table of ['batch_lines', 'request_keys']) {
        const { rows } = await shop.pool.query(`select from ${table} where user_id = $1`, [customer.userId]);
        expect(rows).toEqual([]);
      }
    },
  );
});

describe('the account deletion of a customer with a list', () => {
  const admin = usePerson(shop, 'admin');
  afterEach(() => {
    expect(shop.services.database.counts.repeated).toBe(0);
  });

  const remove = (by: Person) => by.delete(`/user/${encodeURIComponent(customer.email)}`);

  /** The lock that every change of the list takes. */
  const holdList = () =>
    ["select pg_advisory_xact_lock(hashtextextended('batch ' || $1::text, 0))", customer.userId] as const;

  test.each(['an administrator', 'themselves'])(
    'an account deletion by %s waits for a batch change',
    async (by) => {
      const { _id } = await aProduct(shop);
      const { removal } = await whileLocked(shop, holdList(), async (client) => {
        const removal = remove(by === 'themselves' ? customer : admin);
        await awaitWaiting(client, 1);
        // The foreign key check must not wait here, which would be a deadlock.
        await client.query("set local lock_timeout = '200ms'");
        await client.query(
          'insert into batch_lines (user_id, product_id, quantity, price_cents) values ($1, $2, 1, 1)',
          [customer.userId, _id],
        );
        return { removal };
      });
      expect((await removal).status).toBe(200);
      expect(await countLines()).toBe(0);
    },
  );

  test.each<[string, (part: Product) => [method: string, path: string, body: object]]>([
    ['line', ({ _id }) => ['PUT', `/batch/${_id}`, { quantity: 50 }]],
    ['pasted lines', ({ number }) => ['POST', '/batch/lines', { text: `${number} 50` }]],
    [
      'browser’s list',
      ({ _id }) => ['POST', '/batch/join', { join: randomUUID(), lines: [{ productId: _id, quantity: 50 }] }],
    ],
  ])('a %s sent during the account deletion is refused', async (_, write) => {
    const [method, path, body] = write(await aProduct(shop));
    const sent = await queueBehind(
      shop,
      holdList(),
      () => remove(admin),
      () => shop.request(path, { method, token: customer.token, body }),
    );
    expect(sent.map(({ status }) => status)).toEqual([200, 401]);
    expect(await countLines()).toBe(0);
  });

  async function countLines(): Promise<number> {
    const { rows } = await shop.pool.query(
      'select (select count(*) from batch_lines where user_id = $1) + (select count(*) from request_keys where user_id = $1) as count',
      [customer.userId],
    );
    return rows[0].count;
  }
});
