import type { Order } from '@parts-forge/contract/orders/orders';
import { describe, expect, test } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { aProduct, signedInAs } from '#test/builders.ts';
import { testStories } from '#test/money-stories.ts';
import { aPaidOrder, aPendingOrder, readStock } from '#test/paid-orders.ts';
import { readCode } from '#test/paying.ts';
import { listRefunds, useShopWithoutEvents } from '#test/payment-provider.ts';
import { awaitWaiting } from '#test/waiting-statements.ts';

const { clock, shop, admin } = useShopWithoutEvents();

const give = (order: Order, body: object) => admin.refunds(order, { returnStock: false, ...body });
const read = (order: Order) => admin.readsClosed(order);
const atProvider = async (id: string) =>
  (await listRefunds(shop, id))
    .filter(({ status }) => status === 'succeeded')
    .map(({ amount }) => amount)
    .toSorted((a, b) => a - b);
const agrees = async () =>
  expect(await checkConsistency(shop.services)).toMatchObject({ stock: 0, payments: 0, provider: 0 });

const stories = `
# a part goes back in pieces, by amount and as the rest
accepted
refund 20 pieces back for Damaged | 399.8 succeeded | order paid, 399.8×20 succeeded | stock 963
refund $0.01 | 0.01 succeeded | stock 963
refund back | 739.62 succeeded | order paid, 1139.43 succeeded | stock 1000
refund 1 piece | already-refunded | provider 0.01, 399.8, 739.62 | notes 399.8×20, 0.01, 739.62×37
    | mails 399.8, 0.01, 739.62
    | trail refunded 399.8×20 to 399.8 pending Damaged, refund-changed to 399.8 succeeded, refunded 0.01 to 399.81 pending, refund-changed to 0.01 succeeded, refunded 739.62×37 to 1139.43 pending, refund-changed to 739.62 succeeded

# a part leaves a pending order open, which the rest closes
pending
refund 7 pieces back | 139.93 succeeded | order pending, 139.93×7 succeeded | stock 950
refund 10 pieces | 199.9 succeeded | stock 950
refund 40 pieces back | 799.6 succeeded | order refunded, 1139.43 succeeded | stock 990

# amounts that sum to everything close a pending order with its pieces
pending
refund $1000 | 1000 succeeded | stock 943
refund $139.43 back | 139.43 succeeded | order refunded, 1139.43 succeeded | stock 1000

# the last pieces of a pending order leave a stock of 1000
pending
refund $739.63 | 739.63 succeeded
refund 20 pieces back | 399.8 succeeded | stock 1000

# the last pieces of an accepted order leave a stock of 963
accepted
refund $739.63 | 739.63 succeeded
refund 20 pieces back | 399.8 succeeded | stock 963

# a partly refunded order can be neither cancelled nor paid again
pending
refund 7 pieces | 139.93 succeeded
cancel | not-due
open the payment | already-paid

# a refund at the provider in between leaves less
accepted
refund 20 pieces | 399.8 succeeded
the provider refunds $700
refund 2 pieces | At most 1 piece ($39.63) is left.
refund 1 piece | 19.99 succeeded
refund | 19.64 succeeded | notes 399.8×20, 700, 19.99×1, 19.64×36

# a pending order is accepted with what stays, and only knowingly
pending
refund 7 pieces | 139.93 succeeded
accept | partly-refunded
accept despite $19.99 | partly-refunded
accept despite $139.93 | done | order paid, 139.93×7 succeeded

# a failed part is promised, so the acceptance needs a word
pending
refund 7 pieces, declined | 139.93 failed | order pending, 139.93×7 failed
accept | partly-refunded

# no piece returns twice when the provider closes the order
pending
refund 20 pieces back | 399.8 succeeded
the provider refunds $739.63
the shop looks | order refunded, 1139.43 succeeded | stock 1000

# a refusal says what is left after earlier parts
accepted
refund 17 pieces | 339.83 succeeded
refund $30 | 30 succeeded
refund 39 pieces | At most 38 pieces ($769.60) are left.
refund $769.61 | At most 38 pieces ($769.60) are left.
refund 38 pieces | 759.62 succeeded
refund 1 piece | At most 0 pieces ($9.98) are left.
refund | 9.98 succeeded

# a succeeded part gets its note while others wait or fail
accepted
refunds will be pending
refund 10 pieces | 199.9 pending
refunds will be succeeded
refund 20 pieces | 399.8 succeeded
refund 5 pieces, declined | 99.95 failed | notes 399.8×20 | order paid, 699.65×35 failed, 99.95 failed
the pending refund of $199.9 becomes succeeded
the shop looks | notes 399.8×20, 199.9×10
the job looks 4 times | notes 399.8×20, 199.9×10, 99.95×5

# a part that fails as another succeeds gets a debit note
accepted
refund 1 piece | 19.99 succeeded
refunds will be pending
refund $19.99 | 19.99 pending
the succeeded refund of $19.99 becomes failed
the pending refund of $19.99 becomes succeeded
refunds will be succeeded
the shop looks | notes 19.99×1, 19.99, -19.99×1
the job looks 4 times | notes 19.99×1, 19.99, -19.99×1, 19.99×1

# a part that came back gets a debit note until its retry
accepted
refund 10 pieces | 199.9 succeeded
refund 20 pieces | 399.8 succeeded
the succeeded refund of $199.9 becomes failed
the shop looks | notes 199.9×10, 399.8×20, -199.9×10
the job looks 4 times | notes 199.9×10, 399.8×20, -199.9×10, 199.9×10 | provider 199.9 failed, 199.9, 399.8

# a part is mailed with its amount after a failed external refund
accepted
refunds will be pending
the provider refunds $100
the shop looks
refunds will be succeeded
the pending refund of $100 becomes failed
the shop looks
refund $50 | 50 succeeded
the provider refunds $30
the shop looks | mails 100, 50, 30

# a part of one order leaves the shares paid with it
2 together
refund A 20 pieces back | 20 succeeded
refund B $33.33 | 33.33 succeeded
refund B $66.68 | At most 33 pieces ($66.67) are left.
refund B | 66.67 succeeded | order B refunded, 100 succeeded | order A pending, 20×20 succeeded
    | provider 20, 33.33, 66.67

# money of no order moves to the note of another order
2 together
the provider refunds $3.78
the shop looks
refund A 45 pieces | 45 succeeded
refund A | 5 succeeded | notes A 3.78, 45×45, 5×5, -3.78 | notes B 3.78

# a failed part leaves the note of money of no order
2 together
the provider refunds $3.78
the shop looks
refund A 5 pieces, declined | 5 failed | notes A 3.78 | notes B none

# a dispute takes the whole charge after a refund of a part
pending
refund 20 pieces back | 399.8 succeeded
the dispute is needs_response
the shop looks
refund 1 piece | disputed
the dispute is lost
the shop looks | order refunded, 1539.23 succeeded, 1139.43 lost | notes 399.8×20, 1139.43×37 lost
    | stock 1000
the dispute is won
the shop looks | order refunded, 399.8 succeeded, 739.63 returned
    | notes 399.8×20, 1139.43×37 lost, -1139.43×37 lost
refund 1 piece | At most 0 pieces ($739.63) are left.
refund $39.63 back | 39.63 succeeded
refund | 700 succeeded | stock 1000 | provider 39.63, 399.8, 700

# a dispute lost after a whole refund counts on the last order
2 together
refund A | 50 succeeded
refund B | 100 succeeded
the dispute is lost
the shop looks | notes A 50×50 | notes B 100×50, 150 lost | order B refunded, 250 succeeded, 150 lost
refund B | already-refunded

# lost money of no order is on a note as lost
2 together
the provider refunds $20
the dispute is lost
the shop looks | notes A 30 lost, 20×50 | notes B 120×50 lost
`;

testStories(shop, clock, stories);

test('the price of a part is the order’s, to the cent', async () => {
  const product = await aProduct(shop, { price: 10, priceBreaks: [{ quantity: 100, price: 9.37 }] });
  const customer = await signedInAs(shop, 'user');
  const order = await customer.orders(product, 120);
  const id = await customer.pays(order);
  expect((await give(order, { quantity: 7 })).body.refund.amount).toBe(65.59);
  for (const amount of [0.1, 0.2, 0.29, 1.1, 2.2, 4.35, 1.15, 64.51]) {
    expect((await give(order, { amount })).body.refund.amount).toBe(amount);
  }
  expect((await give(order, {})).body.refund.amount).toBe(984.91);
  expect((await atProvider(id)).reduce((sum, cents) => sum + cents, 0)).toBe(112_440);
  await agrees();
});

describe('a refused part', () => {
  test.each([
    [{ quantity: 1, amount: 2 }, 'amount', 'Must not be given with quantity'],
    [{ quantity: 0 }, 'quantity', 'Must be at least 1'],
    [{ quantity: -3 }, 'quantity', 'Must be at least 1'],
    [{ quantity: 1.5 }, 'quantity', 'Must be a whole number'],
    [{ quantity: '20' }, 'quantity', 'Must be a whole number'],
    [{ quantity: null }, 'quantity', 'Must be a whole number'],
    [{ amount: 0 }, 'amount', 'Must be above 0'],
    [{ amount: 1.005 }, 'amount', 'Must have no more than two decimals'],
    [{ amount: 0.001 }, 'amount', 'Must have no more than two decimals'],
    [{ amount: 1e-9 }, 'amount', 'Must have no more than two decimals'],
    [{ quantity: 58 }, 'quantity', 'At most 57 pieces ($1,139.43) are left.'],
    [{ amount: 1139.44 }, 'amount', 'At most 57 pieces ($1,139.43) are left.'],
    [{ amount: 1e15 }, 'amount', 'At most 57 pieces ($1,139.43) are left.'],
    [{ amount: 5, returnStock: true }, 'returnStock', 'Must be false for an amount: name pieces by quantity'],
  ])('names the field of %j and changes nothing', async (body, path, message) => {
    const pending = await aPendingOrder(shop);
    const { status, body: problem } = await give(pending.order, body);
    expect([status, problem.errors]).toEqual([422, [{ path, message }]]);
    expect(await read(pending.order)).not.toHaveProperty('refund');
    expect(await listRefunds(shop, pending.id)).toEqual([]);
  });
});

describe('parts at the same time', () => {
  test('two administrators never exceed what is left', async () => {
    const paid = await aPaidOrder(shop, admin);
    const other = await signedInAs(shop, 'admin');
    const asked = [admin, other, admin, other, admin].map((who) =>
      who.refunds(paid.order, { quantity: 19, returnStock: true }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409]);
    expect(await atProvider(paid.id)).toEqual([37_981, 37_981, 37_981]);
    expect(await readStock(shop, paid)).toBe(1000);
    await agrees();
  });

  test('a repeated key gives the same part once', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    const ask = (key: string, quantity: number, who = admin) =>
      who.post(`/order/${order._id}/refund`, { quantity, returnStock: false }, { 'idempotency-key': key });
    const answers = await Promise.all([ask('a', 5), ask('a', 5), ask('a', 5)]);
    expect(answers.map(({ status, body }) => [status, body.refund?.amount])).toEqual(
      Array(3).fill([200, 99.95]),
    );
    expect(readCode(await ask('a', 6))).toBe('key-reused');
    expect((await ask('b', 5)).status).toBe(200);
    expect((await ask('a', 5, await signedInAs(shop, 'admin'))).status).toBe(200);
    expect(await atProvider(id)).toEqual([9995, 9995, 9995]);
  });

  test('one key for two orders at once gives one refund', async () => {
    const orders = [(await aPaidOrder(shop, admin)).order, (await aPaidOrder(shop, admin)).order];
    const [client, watcher] = [await shop.pool.connect(), await shop.pool.connect()];
    // So that both look for the key before either writes it.
    await client.query('begin');
    await client.query('lock table refunds in share mode');
    const asked = orders.map(({ _id }) =>
      admin.post(`/order/${_id}/refund`, { quantity: 1, returnStock: false }, { 'idempotency-key': 'both' }),
    );
    await awaitWaiting(watcher, 2);
    watcher.release();
    await client.query('commit');
    client.release();
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect(answers.filter(({ status }) => status === 422).map(readCode)).toEqual(['key-reused']);
  });
});
