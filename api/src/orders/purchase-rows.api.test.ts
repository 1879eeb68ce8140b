import type { Order } from '@parts-forge/contract/orders/orders';
import { beforeAll, expect, test } from 'vitest';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { seed } from '#test/full-size.ts';
import { aShipment } from '#test/paid-orders.ts';
import { payTogether } from '#test/paying-several.ts';
import { randomNumbers } from '#test/random-numbers.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

const list = async (query: string, person: Person = admin): Promise<Order[]> =>
  (await person.get(`/order?${query}`)).body.data;
const ofOwner = ({ email }: Person) => `email=${email}&closed=any`;

async function buy(customer: Person, prices: readonly number[]): Promise<Order[]> {
  const lines = [];
  for (const price of prices) lines.push([await aProduct(shop, { price }), 50] as const);
  const { batch } = (await customer.placesBatch(lines)).body;
  return (await list(`batch=${batch}`)).toSorted((a, b) => a.number - b.number);
}

/** All pages of the list, each with the numbers of its rows. */
async function readPages(query: string, limit: number): Promise<{ rows: Order[]; totals: string[] }> {
  const read = { rows: [] as Order[], totals: [] as string[] };
  let next = `/order?rows=purchases&limit=${limit}&${query}`;
  while (next) {
    const { body, headers } = await admin.get(next);
    read.rows.push(...body.data);
    read.totals.push(headers.get('x-total-count') ?? '');
    next = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
  }
  return read;
}

const random = randomNumbers(seed);
const draw = (count: number): number => Math.floor(random() * count);

const customers: Person[] = [];
/** Every order of the random purchases. */
let orders: Order[];

beforeAll(async () => {
  for (const name of ['Amara Okafor', 'Li Wen']) customers.push(await signedInAs(shop, 'user', { name }));
  for (let purchase = 0; purchase < 12; purchase += 1) {
    const customer = customers[draw(2)] as Person;
    const prices = Array.from({ length: 1 + draw(5) }, () => 1 + draw(4));
    const placed =
      draw(4) === 0
        ? [await customer.orders(await aProduct(shop, { price: 2 }))]
        : await buy(customer, prices);
    const paid = placed.filter(() => draw(3) === 0);
    if (paid.length > 0) await payTogether(shop, customer, paid);
    for (const order of paid) if (draw(2) === 0) await admin.accepts(order);
    for (const order of placed) if (!paid.includes(order) && draw(3) === 0) await customer.cancels(order);
  }
  orders = (await Promise.all(customers.map((customer) => list(ofOwner(customer))))).flat();
});

const stateOf = ({ closed, status }: Order) => closed ?? status;
const keyOf = ({ batch, _id }: Order) => batch ?? _id;
const isOpen = ({ closed }: Order) => closed === undefined;
/** The rows in no order: the lowest of each purchase's orders that match. */
const foldRows = (matches: (order: Order) => boolean): Order[] =>
  [...Map.groupBy(orders.filter(matches), keyOf).values()].map((same) =>
    same.reduce((lowest, order) => (order.number < lowest.number ? order : lowest)),
  );
const totalOf = (order: Order) => order.purchase?.total ?? order.totalPrice;
const byTime = (a: Order, b: Order) => (`${a.createdAt} ${a._id}` < `${b.createdAt} ${b._id}` ? -1 : 1);
const byTotal = (a: Order, b: Order) => totalOf(a) - totalOf(b) || (a._id < b._id ? -1 : 1);

const filters: [query: string, matches: (order: Order) => boolean][] = [
  ['', isOpen],
  ['status=due', (order) => isOpen(order) && order.status === 'due'],
  ['status=pending', (order) => isOpen(order) && order.status === 'pending'],
  ['toSend=true', (order) => isOpen(order) && order.status === 'paid'],
  ['closed=cancelled', (order) => order.closed === 'cancelled'],
  ['q=wen', (order) => isOpen(order) && order.name === 'Li Wen'],
  ['q=display', isOpen],
];

test.for(filters)('pages of "%s" have each purchase once, in every sort', async ([query, matches]) => {
  const rows = foldRows(matches);
  const sorts = [
    ['newest', rows.toSorted(byTime).toReversed()],
    ['oldest', rows.toSorted(byTime)],
    ['total', rows.toSorted(byTotal)],
    ['-total', rows.toSorted(byTotal).toReversed()],
  ] as const;
  for (const [sort, expected] of sorts) {
    const { rows: listed, totals } = await readPages(`${query}&sort=${sort}`, 1 + draw(3));
    expect(
      listed.map(({ number }) => number),
      `${sort}, seed ${seed}`,
    ).toEqual(expected.map(({ number }) => number));
    expect(new Set(totals), sort).toEqual(new Set([`${rows.length}`]));
  }
});

test.each(['newest', 'oldest'])('pages of open and ended orders have each once: %s', async (sort) => {
  for (const { email } of customers) {
    const own = foldRows((order) => order.email === email).toSorted(byTime);
    expect(new Set(orders.map(({ closed }) => closed))).toEqual(new Set([undefined, 'cancelled']));
    const { rows } = await readPages(`email=${email}&closed=any&sort=${sort}`, 1 + draw(3));
    expect(rows.map(({ number }) => number)).toEqual(
      (sort === 'newest' ? own.toReversed() : own).map(({ number }) => number),
    );
  }
});

test('a row counts the orders of its purchase, and those that match', async () => {
  for (const [query, matches] of filters)
    for (const { batch, purchase } of await list(`rows=purchases&${query}`)) {
      const own = orders.filter((order) => order.batch === batch && batch !== undefined);
      if (own.length < 2) expect(purchase).toBeUndefined();
      else {
        const states = Object.fromEntries(
          [...Map.groupBy(own, stateOf)].map(([state, same]) => [state, same.length]),
        );
        expect(purchase?.row).toMatchObject({ matching: own.filter(matches).length, states });
      }
    }
});

test('counts are of rows, a purchase once in each tab', async () => {
  const counts = (await admin.get('/order/counts?rows=purchases')).body;
  const states = ['due', 'pending', 'paid', 'cancelled', 'expired', 'refunded'];
  const countAll = (count: (rows: Order[]) => number) => {
    const of = (matches: (order: Order) => boolean) => count(foldRows(matches));
    return {
      ...Object.fromEntries(states.map((state) => [state, of((order) => stateOf(order) === state)])),
      toSend: of((order) => stateOf(order) === 'paid'),
      open: of(isOpen),
      ended: of((order) => !isOpen(order)),
      all: of(() => true),
    };
  };
  const isPurchase = ({ purchase }: Order) => purchase !== undefined;
  const countOrdersOf = (rows: Order[]) =>
    rows.reduce((sum, { purchase }) => sum + (purchase?.orders ?? 1), 0);
  expect(counts).toEqual({
    ...countAll((rows) => rows.length),
    purchases: countAll((rows) => rows.filter(isPurchase).length),
    orders: countAll(countOrdersOf),
  });
  const plain = (await admin.get('/order/counts')).body;
  expect(plain).toMatchObject({ due: orders.filter((order) => stateOf(order) === 'due').length });
  expect(plain).not.toHaveProperty('open');
});

test('a row has what the orders of its purchase have in common', async () => {
  const customer = await signedInAs(shop, 'user');
  const placed = await buy(customer, [1, 2, 3, 4]);
  const [first, second, third, fourth] = placed as [Order, Order, Order, Order];
  const id = await payTogether(shop, customer, [second, third]);
  for (const order of [second, third]) await admin.accepts(order);
  await aShipment(admin, second);
  await customer.cancels(fourth);
  const [row] = await list(`rows=purchases&${ofOwner(customer)}`, customer);
  expect(row).toMatchObject({ _id: first._id, status: 'due' });
  expect(row?.purchase).toEqual({
    number: first.number,
    part: 1,
    orders: 4,
    total: 300,
    row: {
      matching: 4,
      pieces: 150,
      states: { due: 1, paid: 2, cancelled: 1 },
      unpaid: 50,
      toSend: 1,
      names: [first.productName, second.productName],
      payments: [{ transactionId: id, order: second._id }],
      parcels: 1,
    },
  });
  const [shipped] = await list(`rows=purchases&status=paid&email=${customer.email}`, customer);
  expect([shipped?._id, shipped?.purchase?.number]).toEqual([second._id, first.number]);
});

test("a customer sees no row of another's purchase", async () => {
  const [customer, other] = customers as [Person, Person];
  const shown = await list(`rows=purchases&${ofOwner(other)}`, other);
  expect(shown.filter(({ email }) => email !== other.email)).toEqual([]);
  const theirs = orders.find(({ email, purchase }) => email === customer.email && purchase);
  const query = `rows=purchases&purchase=${theirs?.purchase?.number}&${ofOwner(other)}`;
  expect(await list(query, other)).toEqual([]);
  expect((await other.get(`/order?rows=purchases&${ofOwner(customer)}`)).status).toBe(403);
});

test('a row of a hundred parts opens to all of them', async () => {
  const customer = await signedInAs(shop, 'user');
  const placed = await buy(customer, Array(100).fill(1));
  const [row, ...others] = await list(`rows=purchases&${ofOwner(customer)}`);
  expect([row?.number, row?.purchase?.row?.matching, others]).toEqual([placed[0]?.number, 100, []]);
  expect(await list(`purchase=${row?.purchase?.number}&closed=any`)).toHaveLength(100);
});

test('a purchase placed between two pages changes neither', async () => {
  const customer = await signedInAs(shop, 'user');
  const earlier = [await buy(customer, [1, 2]), await buy(customer, [1, 2])];
  const page = await admin.get(`/order?rows=purchases&limit=1&email=${customer.email}`);
  await buy(customer, [1, 2, 3]);
  const next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  const shown = [...page.body.data, ...(await admin.get(next)).body.data];
  expect(shown.map(({ number }) => number)).toEqual([earlier[1]?.[0]?.number, earlier[0]?.[0]?.number]);
});

test.each(['', '&q=display'])('no page repeats a purchase whose first match changed%s', async (query) => {
  const customer = await signedInAs(shop, 'user');
  const [older, newer] = [await buy(customer, [1, 2]), await buy(customer, [1, 2])] as [Order[], Order[]];
  const cancelBetween = async (order: Order | undefined, filter: string) => {
    const page = await admin.get(`/order?rows=purchases&limit=1&user=${customer.userId}${query}&${filter}`);
    if (order) await customer.cancels(order);
    const next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const rows: Order[] = [...page.body.data, ...(await admin.get(next)).body.data];
    return rows.map(({ purchase }) => purchase?.number);
  };
  const numbers = [older[0]?.number, newer[0]?.number];
  expect(await cancelBetween(older[0], 'status=due&sort=oldest')).toEqual(numbers);
  if (newer[1]) await customer.cancels(newer[1]);
  expect(await cancelBetween(newer[0], 'closed=cancelled')).toEqual(numbers.toReversed());
});

test.each([
  ['-total', [0, 2, 1]],
  ['total', [1, 2, 0]],
] as const)('a total that changes between two pages moves no row: %s', async (sort, order) => {
  const customer = await signedInAs(shop, 'user');
  // The last two have the same total.
  const bought: Order[][] = [];
  for (const prices of [
    [3, 3],
    [2, 2],
    [1, 3],
  ])
    bought.push(await buy(customer, prices));
  const numbers: (number | undefined)[] = [];
  let next = `/order?rows=purchases&status=due&limit=1&user=${customer.userId}&sort=${sort}`;
  while (next) {
    const { body, headers } = await admin.get(next);
    const shown = bought.find(([, last]) => last?.purchase?.number === body.data[0].purchase.number);
    numbers.push(shown?.[0]?.number);
    // The first line is the row's, and its total leaves the purchase's.
    if (shown?.[0]) await customer.cancels(shown[0]);
    next = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
  }
  expect(numbers).toEqual(order.map((at) => bought[at]?.[0]?.number));
});

test('the number of a purchase accepts all of its orders', async () => {
  const customer = await signedInAs(shop, 'user');
  const placed = await buy(customer, [1, 2, 3]);
  await payTogether(shop, customer, placed);
  const filter = { purchase: placed[0]?.number };
  const { status, body } = await admin.post('/order/bulk', { act: 'accept', filter });
  expect([status, body.data?.map(({ ok }: { ok: boolean }) => ok)]).toEqual([200, [true, true, true]]);
  const rows = await list(`rows=purchases&purchase=${placed[0]?.number}`);
  expect(rows[0]?.purchase?.row?.states).toEqual({ paid: 3 });
});

test('other values of rows are refused, as is a choice by rows', async () => {
  const { errors } = (await admin.get('/order?rows=orders')).body;
  expect(errors).toEqual([{ path: 'rows', message: 'Must be purchases' }]);
  const body = { act: 'accept', filter: { status: 'pending', rows: 'purchases' } };
  expect((await admin.post('/order/bulk', body)).status).toBe(422);
});
