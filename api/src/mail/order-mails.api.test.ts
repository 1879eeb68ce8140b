import type { Order } from '@parts-forge/contract/orders/orders';
import type { Shipment } from '@parts-forge/contract/orders/shipments';
import { beforeEach, expect, test } from 'vitest';
import { mailOutbox } from '#src/mail-outbox/schema.ts';

import { endMail, findMails, findMailsTo, takeDueMails } from '#src/mail-outbox/store.ts';
import { aProduct, orderBody, type Person, signedInAgain, signedInAs } from '#test/builders.ts';

import { startMailServer } from '#test/mail-server.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPaidOrder, aPendingOrder, aShipment } from '#test/paid-orders.ts';
import { controlSandbox, refundAtProvider } from '#test/paying.ts';
import { payTogether, pendingTogether } from '#test/paying-several.ts';
import { reconcileLater } from '#test/payment-provider.ts';
import { readTrail } from '#test/trail.ts';
import { prepared, useShop } from '#test/use-shop.ts';
import { writeReminders } from './write-reminders.ts';

const clock = createMovableClock();
const HOUR_MS = 3_600_000;

const server = prepared(startMailServer, (s) => s.close());
const shop = useShop(() => ({ clock, env: { ...server.env, SELLER_EMAIL: 'orders@fjord.example' } }));
beforeEach(async () => {
  await shop.db.delete(mailOutbox);
  server.mails.length = 0;
});

/** Sends due mails and returns all subjects to a person. */
async function readMails({ email }: Pick<Person, 'email'>): Promise<(string | undefined)[]> {
  await shop.services.mailer.sendDue();
  return server.to(email).map(({ subject }) => subject);
}

const correctStock = async (admin: Person, productId: string, quantity: number) => {
  const { status } = await admin.put(`/product/${productId}`, { quantity });
  expect(status).toBe(200);
};

test('a payment and its acceptance are mailed once each', async () => {
  const admin = await signedInAs(shop, 'admin');
  const { customer, order } = await aPaidOrder(shop, admin);
  // Placed and paid before any mail was sent, so obsolete mails are dropped.
  expect((await readMails(customer)).sort()).toEqual([
    `We have received your payment (order ${order.number})`,
    `Your order is accepted (order ${order.number})`,
  ]);
  expect(await readMails(customer)).toHaveLength(2);
});

test("each parcel is mailed once, with its number and carrier's page", async () => {
  const admin = await signedInAs(shop, 'admin');
  const { customer, order } = await aPaidOrder(shop, admin);
  await shop.services.mailer.sendDue();
  server.mails.length = 0;
  await aShipment(admin, order, { carrier: 'ups', number: '1Z #1', quantity: 20 });
  await aShipment(admin, order, { carrier: 'Harbour Couriers', number: 'HC-2' });
  await aShipment(admin, order, { carrier: 'Harbour Couriers', number: 'HC-2' });
  const subject = `A parcel is on its way to you (order ${order.number})`;
  expect(await readMails(customer)).toEqual([subject, subject]);
  const mails = server
    .to(customer.email)
    .sort((a, b) => Number(b.text?.includes('ups')) - Number(a.text?.includes('ups')));
  const [first, second] = mails.map(({ text = '', html = '' }) => ({ text, html }));
  expect(first?.text).toContain('ups has it, under the number 1Z #1.');
  expect(first?.text).toMatch(/Pieces in it:? +20/);
  for (const part of [first?.text, first?.html]) {
    expect(part).toContain('https://www.ups.com/track?tracknum=1Z%231');
    expect(part).not.toContain('HC-2');
  }
  expect(second?.text).toContain('Harbour Couriers has it, under the number HC-2.');
  expect(second?.text).toMatch(/Pieces in it:? +37/);
  expect(second?.text).not.toMatch(/1Z|Follow the parcel/);
});

const removeParcel = async (admin: Person, order: Order, { _id }: Shipment) => {
  const path = `/order/${order._id}/shipment/${_id}`;
  expect((await admin.delete(path)).status).toBe(200);
};

test('a removed parcel drops its waiting mail alone', async () => {
  const admin = await signedInAs(shop, 'admin');
  const { customer, order } = await aPaidOrder(shop, admin);
  const wrong = await aShipment(admin, order, { number: '1', quantity: 50 });
  await aShipment(admin, order, { number: '2' });
  await removeParcel(admin, order, wrong);
  await shop.services.mailer.sendDue();
  const mails = await findMailsTo(shop.db, customer.userId);
  const states = mails.filter(({ kind }) => kind.startsWith('parcel-')).map(({ state }) => state);
  expect(states.sort()).toEqual(['dropped', 'sent']);
});

test('the removal and the correction of a mailed parcel are mailed', async () => {
  const admin = await signedInAs(shop, 'admin');
  const { customer, order } = await aPaidOrder(shop, admin);
  const readLast = async () => {
    await shop.services.mailer.sendDue();
    return server.to(customer.email).at(-1);
  };
  await shop.services.mailer.sendDue();
  const wrong = await aShipment(admin, order, { number: 'WRONG-1', quantity: 20 });
  expect((await readLast())?.text).toContain('WRONG-1');
  await removeParcel(admin, order, wrong);
  expect((await readLast())?.subject).toBe(`A parcel number is no longer right (order ${order.number})`);
  expect((await readLast())?.text).toContain('DHL WRONG-1 is not for this order');
  await aShipment(admin, order, { number: 'RIGHT-1', quantity: 20 });
  expect((await readLast())?.text).toContain('under the number RIGHT-1, instead of DHL WRONG-1.');
  await aShipment(admin, order, { number: 'NEXT-2', quantity: 20 });
  expect((await readLast())?.text).toContain('under the number NEXT-2.');
  expect((await customer.reads(order))?.shipments).toHaveLength(2);
  const events = (await readTrail(customer, order._id)).map(({ event }) => event);
  expect(events.slice(0, 4)).toEqual(['parcel-sent', 'parcel-sent', 'parcel-removed', 'parcel-sent']);
});

test('a parcel removed while its mail leaves is mailed as void', async () => {
  const admin = await signedInAs(shop, 'admin');
  const { customer, order } = await aPaidOrder(shop, admin);
  const { mailer, database, clock } = shop.services;
  await mailer.sendDue();
  const wrong = await aShipment(admin, order, { number: 'WRONG-2' });
  const [mail] = await takeDueMails(database.db, clock.now(), 10);
  await removeParcel(admin, order, wrong);
  await endMail(database.db, String(mail?.id), 'sent', clock.now());
  await mailer.sendDue();
  expect(server.to(customer.email).at(-1)?.text).toContain('DHL WRONG-2 is not for this order');
});

test('a corrected delivery address is mailed to its customer', async () => {
  const admin = await signedInAs(shop, 'admin');
  const { customer, order } = await aPendingOrder(shop);
  const correct = (body: object) => admin.put(`/order/${order._id}/address`, body);
  expect((await correct({ address: '3 Quay Street' })).status).toBe(200);
  expect((await correct({ address: '3 Quay Street' })).status).toBe(200);
  const subject = `The delivery of your order was changed (order ${order.number})`;
  expect((await readMails(customer)).filter((each) => each === subject)).toEqual([subject]);
  expect(server.to(customer.email).find((mail) => mail.subject === subject)?.text).toContain('3 Quay Street');
  const [newest] = await readTrail(customer, order._id);
  expect(newest).toMatchObject({ event: 'address-corrected', by: { kind: 'admin' } });
});

test('one act is one mail for each customer', async () => {
  const admin = await signedInAs(shop, 'admin');
  const { customer, orders } = await pendingTogether(shop, 3);
  const single = await aPendingOrder(shop);
  await shop.services.mailer.sendDue();
  server.mails.length = 0;
  const all = [...orders, single.order];
  const send = (path: string, body: object) => admin.post(path, body);
  await send('/order/bulk', { act: 'accept', ids: all.map(({ _id }) => _id) });
  const parcel = { carrier: 'DHL', number: 'BOX-1' };
  await send('/shipment/bulk', { parcels: all.map(({ _id }) => ({ ...parcel, order: _id })) });
  const numbers = orders.map(({ number }) => number).toSorted();
  const subjects = await readMails(customer);
  expect(subjects.map((subject) => subject?.replace(/ \(orders .*/, '')).sort()).toEqual([
    'A parcel is on its way to you',
    'Your orders are accepted',
  ]);
  for (const { text } of server.to(customer.email)) {
    for (const number of numbers) expect(text).toContain(`Order ${number}, `);
  }
  expect((await readMails(single.customer)).sort()).toEqual([
    `A parcel is on its way to you (order ${single.order.number})`,
    `Your order is accepted (order ${single.order.number})`,
  ]);
});

/** Placed together at $2 and 50 pieces each; by number. */
async function aPurchase(count: number, customer?: Person) {
  const owner = customer ?? (await signedInAs(shop, 'user'));
  const parts = [];
  for (let at = 0; at < count; at += 1) parts.push([await aProduct(shop, { price: 2 }), 50] as const);
  const { batch } = (await owner.placesBatch(parts)).body;
  const orders: Order[] = (
    await owner.get(`/order?email=${owner.email}&batch=${batch}&sort=oldest&limit=100`)
  ).body.data;
  const [first] = orders;
  return { customer: owner, orders, ids: orders.map(({ _id }) => _id), number: first?.purchase?.number ?? 0 };
}

/** Sends due mails and returns the new one, and the amounts of its lines. */
async function readOnlyMail({ email }: Person) {
  await shop.services.mailer.sendDue();
  expect(server.to(email)).toHaveLength(1);
  const [{ subject = '', text = '', html = '' } = {}] = server.to(email);
  server.mails.length = 0;
  const amounts = [...text.matchAll(/^Order \d+, PF-\d+, .+: 50 × \$2\.00 = \$(\S+)$/gm)];
  return { subject, text, html, amounts: amounts.map(([, amount]) => Number(amount)) };
}

test('each act on a purchase of 44 parts is one mail', async () => {
  const admin = await signedInAs(shop, 'admin');
  const purchase = await aPurchase(44);
  const { customer, orders, ids, number } = purchase;
  const placed = await readOnlyMail(customer);
  expect(placed.subject).toMatch(new RegExp(`^Order ${number}: 44 parts placed, pay until `));
  await payTogether(shop, purchase.customer, purchase.orders);
  const paid = await readOnlyMail(customer);
  expect(paid.subject).toBe(`We have received your payment (order ${number}: 44 parts)`);
  expect(paid.text.match(/^Invoice: \d{4}-\d{5}$/gm)).toHaveLength(1);
  await admin.post('/order/bulk', { act: 'accept', ids });
  const accepted = await readOnlyMail(customer);
  expect(accepted.subject).toBe(`Your orders are accepted (order ${number}: 44 parts)`);
  for (const { text, html, amounts } of [placed, paid, accepted]) {
    expect(amounts).toEqual(orders.map(({ totalPrice }) => totalPrice));
    expect(text).toContain(`\nTotal price: $4,400.00\n`);
    expect(text).toContain(`\nOrder: ${number}, 44 parts\n`);
    expect(text).toContain(`/dashboard/purchase/${number}\n`);
    expect(html).toContain(`/dashboard/purchase/${number}"`);
  }
  const parcels = orders.slice(0, 38).map((order) => ({ carrier: 'DHL', number: 'BOX-1', order: order._id }));
  for (const _ of [1, 2]) await admin.post('/shipment/bulk', { parcels });
  const sent = await readOnlyMail(customer);
  expect(sent.subject).toBe(`A parcel is on its way to you (order ${number}: 38 of 44 parts)`);
  expect(sent.text.match(/^Order \d+, PF-\d+, .+: DHL BOX-1$/gm)).toHaveLength(38);
});

test('a parcel removed from several orders is one mail for each customer', async () => {
  const admin = await signedInAs(shop, 'admin');
  const [own, other] = [await pendingTogether(shop, 4), await pendingTogether(shop, 1)];
  const [first, second, unmailed, without] = own.orders.map(({ _id }) => _id);
  const sent = [first, second, ...other.orders.map(({ _id }) => _id)];
  const ids = [...sent, unmailed, without];
  await admin.post('/order/bulk', { act: 'accept', ids });
  const send = (orders: (string | undefined)[]) =>
    admin.post('/shipment/bulk', {
      parcels: orders.map((order) => ({ carrier: 'DHL', number: 'BOX 1', order })),
    });
  await send(sent);
  await shop.services.mailer.sendDue();
  await send([unmailed]);
  server.mails.length = 0;
  const parcel = { carrier: 'dhl', number: 'box1' };
  const { body } = await admin.post('/shipment/remove', { ...parcel, ids });
  const refused = { ok: false, error: { code: 'not-found', detail: 'There is nothing here' } };
  expect(body.data).toEqual([
    ...[...sent, unmailed].map((id) => ({ id, ok: true })),
    { id: without, ...refused },
  ]);
  expect(await readMails(other.customer)).toEqual([
    `A parcel number is no longer right (order ${other.orders[0]?.number})`,
  ]);
  const mail = await readOnlyMail(own.customer);
  expect(mail.subject).toMatch(/^A parcel number is no longer right \(orders? \d+.* \d+/);
  expect(mail.text).toContain('DHL BOX 1 is not for these orders: it was entered by mistake.');
  const named = own.orders.filter(({ number }) => mail.text.includes(`Order ${number}, `));
  expect(named.map(({ _id }) => _id)).toEqual([first, second]);
  const again = await admin.post('/shipment/remove', { ...parcel, ids });
  expect(again.body.data).toEqual(ids.map((id) => ({ id, ...refused })));
});

test('orders that one act cancels are one mail for each customer', async () => {
  const admin = await signedInAs(shop, 'admin');
  const [own, other] = [await aPurchase(3), await aPurchase(2)];
  const [ownFirst, ...ownRest] = own.ids;
  // The placed mail was still waiting: it names what is left.
  expect((await own.customer.post('/order/cancel', { ids: [ownFirst, other.ids[0]] })).body.data).toEqual([
    { id: ownFirst, ok: true },
    { id: other.ids[0], ok: false, error: { code: 'not-found', detail: expect.any(String) } },
  ]);
  const placed = await readOnlyMail(own.customer);
  expect(placed.subject).toMatch(new RegExp(`^Order ${own.number}: 2 of 3 parts placed`));
  expect(placed.text).toContain('\nTotal price: $200.00\n');
  await shop.services.mailer.sendDue();
  server.mails.length = 0;
  const ids = [...own.ids, ...other.ids];
  for (const done of [4, 0]) {
    const { body } = await admin.post('/order/cancel', { ids });
    expect(body.data.filter(({ ok }: { ok: boolean }) => ok)).toHaveLength(done);
  }
  const mail = await readOnlyMail(own.customer);
  expect(mail.subject).toBe(`We have cancelled your orders (order ${own.number}: 2 of 3 parts)`);
  expect(mail.text).toContain('They were not paid, and nothing is charged.');
  expect(mail.amounts).toEqual([100, 100]);
  expect(
    ownRest.every((id) => mail.text.includes(String(own.orders.find(({ _id }) => _id === id)?.number))),
  ).toBe(true);
});

test('a refund of a whole payment is one mail with the sum', async () => {
  const purchase = await aPurchase(3);
  const id = await payTogether(shop, purchase.customer, purchase.orders);
  await readMails(purchase.customer);
  server.mails.length = 0;
  await refundAtProvider(shop, id);
  await reconcileLater(shop, clock);
  const mail = await readOnlyMail(purchase.customer);
  expect(mail.subject).toBe(`Refund of $300.00 (order ${purchase.number}: 3 parts)`);
  expect(mail.amounts).toEqual([100, 100, 100]);
});

test('a payment of several orders is mailed once with all orders', async () => {
  const { customer, orders, id } = await pendingTogether(shop, 3);
  const reports = await Promise.all(orders.map((order) => customer.records(order, id)));
  expect(reports.map(({ status }) => status)).toEqual([200, 200, 200]);
  const subjects = await readMails(customer);
  const numbers = orders.map(({ number }) => number).toSorted();
  const received = `We have received your payment (orders ${numbers.join(', ')})`;
  expect(subjects.filter((subject) => subject === received)).toHaveLength(1);
  const mail = server.to(customer.email).find(({ subject }) => subject === received);
  expect(mail?.text).toContain('$300.00 has arrived for 3 orders.');
  for (const { number, productName } of orders) {
    expect(mail?.text).toMatch(new RegExp(`Order ${number}, PF-\\d+, ${productName}: `));
    expect(mail?.html).toMatch(new RegExp(`Order ${number}, PF-\\d+, ${productName}`));
  }
});

test('a mail names the order by its number and the reference', async () => {
  const customer = await signedInAs(shop, 'user');
  const body = { ...orderBody(customer, await aProduct(shop)), reference: 'PO-2026/17' };
  const { insertedId } = (await customer.post('/order', body)).body;
  const admin = await signedInAs(shop, 'admin');
  const { body: order } = await admin.get(`/order/${insertedId}`);
  await readMails(customer);
  const [mail] = server.to(customer.email);
  expect(mail?.subject).toMatch(new RegExp(`^Order ${order.number} placed: pay until `));
  expect(mail?.text).toContain(`\nOrder: ${order.number}\nYour reference: PO-2026/17\n`);
  for (const part of [`Order ${order.number}`, 'Your reference', 'PO-2026/17']) {
    expect(mail?.html).toContain(part);
  }
  for (const text of [mail?.text, mail?.html]) expect(text).toContain(`/dashboard/order/${insertedId}`);
  expect(mail?.replyTo).toMatchObject([{ address: 'orders@fjord.example' }]);
  for (const q of [`Order ${order.number}`, 'PO-2026/17']) {
    const found = await admin.get(`/order?q=${encodeURIComponent(q)}`);
    expect(found.body.data.map(({ _id }: { _id: string }) => _id)).toContain(insertedId);
  }
});

test("only an administrator's cancellation is mailed to the customer", async () => {
  const admin = await signedInAs(shop, 'admin');
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop);
  const cancel = async (by: Person) => {
    const order = await customer.orders(product);
    const { status } = await by.delete(`/order/${order._id}`);
    expect(status).toBe(200);
  };
  await cancel(customer);
  expect(await readMails(customer)).toEqual([]);
  await cancel(admin);
  expect(await readMails(customer)).toEqual([
    expect.stringMatching(/^We have cancelled your order \(order \d+\)$/),
  ]);
  const [mail] = server.to(customer.email);
  expect(mail?.text).toContain('nothing is charged');
  expect(mail?.text).toMatch(/, orders@fjord\.example\n*$/);
  expect(mail?.html).toContain(', orders@fjord.example</p>');
});

test('a refund is mailed once with its amount', async () => {
  const admin = await signedInAs(shop, 'admin');
  const { customer, order } = await aPendingOrder(shop);
  await readMails(customer);
  const { status } = await admin.post(`/order/${order._id}/refund`, { returnStock: true });
  expect(status).toBe(200);
  expect((await readMails(customer)).filter((subject) => subject?.includes('Refund of'))).toEqual([
    `Refund of $1,139.43 (order ${order.number})`,
  ]);
  expect(server.to(customer.email).at(-1)?.text).toContain('is refunded to your card');
});

test('a lost dispute is mailed, and not as a refund', async () => {
  const { customer, order, id } = await aPendingOrder(shop);
  await readMails(customer);
  await refundAtProvider(shop, id, 100);
  await reconcileLater(shop, clock);
  await controlSandbox(shop, { dispute: { intent: id, status: 'lost' } });
  await reconcileLater(shop, clock);
  const mails = await readMails(customer);
  expect(mails.filter((subject) => /Refund|bank/.test(subject ?? '')).toSorted()).toEqual([
    `Refund of $1.00 (order ${order.number})`,
    `Your bank has taken back $1,139.43 (order ${order.number})`,
  ]);
});

test('a dispute lost after a whole refund is mailed', async () => {
  const { customer, order, id } = await aPendingOrder(shop);
  await refundAtProvider(shop, id);
  await reconcileLater(shop, clock);
  await controlSandbox(shop, { dispute: { intent: id, status: 'lost' } });
  await reconcileLater(shop, clock);
  const readNews = async () =>
    (await readMails(customer)).filter((subject) => /Refund|bank/.test(subject ?? '')).toSorted();
  // The provider's event may be what records the dispute, after the look at the provider.
  await expect
    .poll(readNews)
    .toEqual([
      `Refund of $1,139.43 (order ${order.number})`,
      `Your bank has taken back $1,139.43 (order ${order.number})`,
    ]);
});

test('a repeated refund is mailed once, an additional one again', async () => {
  const { customer, order, id } = await aPendingOrder(shop);
  const readRefundMails = async () =>
    (await readMails(customer)).flatMap((subject) => /^Refund of \S+/.exec(subject ?? '')?.[0] ?? []);
  const read = async () => (await (await signedInAgain(shop, customer)).reads(order))?.refund;
  await controlSandbox(shop, { newRefunds: 'pending' });
  const first = await refundAtProvider(shop, id, 100);
  await reconcileLater(shop, clock);
  expect(await readRefundMails()).toEqual(['Refund of $1.00']);
  await controlSandbox(shop, { finishRefund: { refund: first, status: 'failed' } });
  await reconcileLater(shop, clock);
  expect(await read()).toMatchObject({ state: 'failed' });
  await controlSandbox(shop, { newRefunds: 'succeeded' });
  await refundAtProvider(shop, id, 100);
  await reconcileLater(shop, clock);
  expect(await read()).toEqual({ amount: 1, state: 'succeeded', settled: 1 });
  expect(await readRefundMails()).toEqual(['Refund of $1.00']);
  await refundAtProvider(shop, id, 250);
  await reconcileLater(shop, clock);
  expect(await readRefundMails()).toEqual(['Refund of $1.00', 'Refund of $2.50']);
});

test("an order's expiry is mailed once across rounds and processes", async () => {
  const customer = await signedInAs(shop, 'user');
  await customer.orders(await aProduct(shop));
  expect(await readMails(customer)).toHaveLength(1);
  await writeReminders(shop.services);
  expect(await readMails(customer)).toHaveLength(1);
  clock.aheadMs += 49 * HOUR_MS;
  await Promise.all([1, 2, 3].map(() => writeReminders(shop.services)));
  expect(await readMails(customer)).toEqual([
    expect.stringMatching(/^Order \d+ placed/),
    expect.stringMatching(/^Order \d+ expires \d/),
  ]);
  clock.aheadMs += HOUR_MS;
  await writeReminders(shop.services);
  expect(await readMails(customer)).toHaveLength(2);
});

test('a batch is mailed once when placed and once before expiry', async () => {
  const customer = await signedInAs(shop, 'user');
  const [display, battery] = [await aProduct(shop), await aProduct(shop)];
  const placed = await customer.placesBatch([
    [display, 50],
    [battery, 60],
  ]);
  expect(await readMails(customer)).toEqual([
    expect.stringMatching(/^Order \d+: 2 parts placed, pay until \d/),
  ]);
  expect(server.to(customer.email)[0]?.text).toContain(`/dashboard/batch/${placed.body.batch}`);
  clock.aheadMs += 49 * HOUR_MS;
  await Promise.all([1, 2, 3].map(() => writeReminders(shop.services)));
  expect(await readMails(customer)).toEqual([
    expect.stringMatching(/^Order \d+: 2 parts placed/),
    expect.stringMatching(/^Order \d+: 2 parts expire \d/),
  ]);
  // The order that carried the mail is paid; the other gets no second reminder.
  const admin = await signedInAs(shop, 'admin');
  const [first] = placed.body.insertedIds;
  const { body: order } = await admin.get(`/order/${first}`);
  await (await signedInAgain(shop, customer)).pays(order);
  clock.aheadMs += HOUR_MS;
  await writeReminders(shop.services);
  expect((await readMails(customer)).filter((subject) => subject?.includes('expire'))).toHaveLength(1);
});

test('a paid order gets no expiry reminder', async () => {
  const { customer } = await aPendingOrder(shop);
  clock.aheadMs += 49 * HOUR_MS;
  await writeReminders(shop.services);
  expect((await readMails(customer)).filter((subject) => subject?.includes('expires'))).toEqual([]);
});

test('low stock is mailed once to administrators until a restock', async () => {
  const admins = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'admin')] as const;
  const [admin] = admins;
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop, { quantity: 100, minimumOrder: 60 });
  const about = async (person: Person) =>
    (await readMails(person)).filter((subject) => subject === `Low stock: ${product.name}`).length;
  await writeReminders(shop.services);
  expect(await about(admin)).toBe(0);

  await customer.orders(product);
  await Promise.all([writeReminders(shop.services), writeReminders(shop.services)]);
  expect(await Promise.all(admins.map(about))).toEqual([1, 1]);
  await correctStock(admin, product._id, 10);
  await writeReminders(shop.services);
  expect(await about(admin)).toBe(1);
  expect(await about(customer)).toBe(0);

  await correctStock(admin, product._id, 500);
  await writeReminders(shop.services);
  await correctStock(admin, product._id, 10);
  await writeReminders(shop.services);
  expect(await about(admin)).toBe(2);
  expect(server.to(admin.email).at(-1)?.text).toContain('10 pieces left, fewer than its minimum order of 60');
});

test('parts that one file makes scarce are one mail', async () => {
  const admin = await signedInAs(shop, 'admin');
  await writeReminders(shop.services);
  const parts = [await aProduct(shop), await aProduct(shop), await aProduct(shop)];
  for (const { _id } of parts) await correctStock(admin, _id, 1);
  const counts = JSON.stringify({ new: 0, changed: 9 });
  await shop.pool.query(
    `insert into product_imports (id, user_id, name, columns, notes, counts, created_at, applied_at)
     values (gen_random_uuid(), $1, '', '[]', '[]', $2, now(), now())`,
    [admin.userId, counts],
  );
  await writeReminders(shop.services);
  expect(await readMails(admin)).toEqual([]);
  await shop.pool.query('update product_imports set done = 9');
  await writeReminders(shop.services);
  expect(await readMails(admin)).toEqual(['Low stock: 3 parts']);
  for (const { name } of parts) expect(server.to(admin.email)[0]?.text).toContain(`${name}: 1 on hand`);
});

test('a restock before sending drops the low-stock mail', async () => {
  const admin = await signedInAs(shop, 'admin');
  const product = await aProduct(shop, { quantity: 10, minimumOrder: 60 });
  await writeReminders(shop.services);
  await correctStock(admin, product._id, 500);
  expect(await readMails(admin)).not.toContain(`Low stock: ${product.name}`);
  const { rows } = await findMails(shop.db, { state: 'dropped' });
  expect(rows.some(({ productId }) => productId === product._id)).toBe(true);
});
