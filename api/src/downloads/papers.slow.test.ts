import { once } from 'node:events';
import type { DownloadRequest } from '@parts-forge/contract/files/downloads';
import { formatNumber } from '@parts-forge/contract/money/papers';
import type { Order } from '@parts-forge/contract/orders/orders';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { Paper } from '#src/invoices/read-papers.ts';
import { renderZip } from '#src/invoices/render-invoices.ts';
import { findInvoice, type InvoiceRow } from '#src/invoices/store.ts';
import { updateUser } from '#src/users/store.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { aLink, askForDownload, downloadFile, openLink, readPdf } from '#test/downloads.ts';
import { atFullSize } from '#test/full-size.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { anOrderOfOldTimes, aPendingOrder } from '#test/paid-orders.ts';
import { expectRefusal } from '#test/paying.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const clock = createMovableClock();
const shop = useShop({ clock, env: { SELLER_TAX_RATE: '19', SELLER_TAX_NAME: 'VAT' } });
const admin = usePerson(shop, 'admin');

const papersOf = (orders: readonly Order[], as: 'pdf' | 'zip' = 'zip'): DownloadRequest => ({
  what: 'invoices',
  orders: orders.map(({ _id }) => _id),
  as,
});

async function anotherOrder(customer: Person) {
  const order = await customer.orders(await aProduct(shop, { price: 19.99 }), 57);
  await customer.pays(order);
  return order;
}

async function findNumber({ _id }: Order): Promise<string> {
  const invoice = await findInvoice(shop.db, _id);
  if (!invoice) throw new Error('The order has no invoice.');
  return formatNumber(invoice);
}

async function downloadZip(who: Person, request: DownloadRequest) {
  const { bytes, headers } = await downloadFile(shop, who, request);
  return { files: unzipSync(bytes), headers };
}

const readWords = async (bytes: Uint8Array) =>
  (await readPdf(Buffer.from(bytes))).pages.join(' ').replace(/\s+/g, ' ');

const listNames = async (who: Person, request: DownloadRequest) =>
  Object.keys((await downloadZip(who, request)).files);

/** Moves papers to another month, which only a test may do. */
async function movePapers(orders: readonly Order[], day: string): Promise<void> {
  await shop.pool.query(
    `alter table invoices disable trigger user;
     update invoices set day = '${day}' where order_id in (${orders.map(({ _id }) => `'${_id}'`).join()});
     alter table invoices enable trigger user`,
  );
}

/** Credit notes of one order in a year of their own. */
async function addNotes({ _id }: Order, year: number, count: number): Promise<void> {
  await shop.pool.query(
    `insert into invoices select (json_populate_record(i, json_build_object('id', gen_random_uuid(),
       'series', 'credit-note', 'invoice_id', i.id, 'year', ${year}, 'sequence', n))).*
     from invoices i, generate_series(1, ${count}) n where order_id = $1 and series = 'invoice'`,
    [_id],
  );
}

describe('the papers of orders', () => {
  test('are a zip of PDFs named by number, notes included', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const other = await anotherOrder(customer);
    await admin.refunds(order, { amount: 100, returnStock: false });
    const { files, headers } = await downloadZip(customer, papersOf([other, order]));
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="papers-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const [first, second] = [await findNumber(order), await findNumber(other)];
    const note = expect.stringMatching(/^CN-\d{4}-\d{5}\.pdf$/);
    expect(Object.keys(files)).toEqual([`${first}.pdf`, `${second}.pdf`, note]);
    const [invoice, , creditNote] = await Promise.all(Object.values(files).map(readWords));
    for (const text of [`Invoice number ${first}`, customer.email, 'VAT 19 % $181.93', 'Total $1,139.43']) {
      expect(invoice).toContain(text);
    }
    expect(creditNote).toContain(`For invoice ${first}. Refunded to the card.`);
    expect(creditNote).toContain('VAT 19 % \u2212$15.97');
  });

  test('are one PDF with all sheets by number', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const others = [await anotherOrder(customer), await anotherOrder(customer)];
    await admin.refunds(order);
    const { bytes, headers } = await downloadFile(shop, admin, papersOf([...others, order], 'pdf'));
    expect(headers.get('content-type')).toBe('application/pdf');
    const { pages, info } = await readPdf(bytes);
    expect(info).toMatchObject({ Title: expect.stringMatching(/^Papers \d{4}-\d\d-\d\d$/) });
    const numbers = pages.map((page) => /(Invoice|Credit note) number\s+(\S+)/.exec(page)?.[2]);
    const invoices = await Promise.all([order, ...others].map(findNumber));
    expect(numbers).toEqual([...invoices, expect.stringMatching(/^CN-/)]);
  });

  test('have debit notes last', async () => {
    const { customer, order } = await aPendingOrder(shop);
    await addNotes(order, 2097, 1);
    await shop.pool.query(
      `insert into invoices select (json_populate_record(i, json_build_object('id', gen_random_uuid(),
         'series', 'debit-note', 'sequence', 1))).* from invoices i where order_id = $1 and series = 'credit-note'`,
      [order._id],
    );
    const names = await listNames(customer, papersOf([order]));
    expect(names.slice(1)).toEqual(['CN-2097-00001.pdf', 'DN-2097-00001.pdf']);
  });

  test('are the bytes of the single files', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const single = await downloadFile(shop, customer, { what: 'invoice', order: order._id });
    const [file] = Object.values((await downloadZip(customer, papersOf([order]))).files);
    expect(Buffer.from(file ?? []).equals(single.bytes)).toBe(true);
  });

  test('are issued now for orders from before invoices existed', async () => {
    const { order } = await aPendingOrder(shop);
    const old = [(await anOrderOfOldTimes(shop)).order, (await anOrderOfOldTimes(shop)).order];
    const names = await listNames(admin, papersOf([...old.toReversed(), order]));
    const numbers = await Promise.all([order, ...old].map(findNumber));
    expect(names).toEqual(numbers.map((number) => `${number}.pdf`));
  });

  test('are refused while an order is unpaid, which is named', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const due = await customer.orders(await aProduct(shop), 60);
    const answer = await askForDownload(customer, papersOf([order, due]));
    expectRefusal(answer, 409, 'no-invoice');
    expect(answer.body.detail).toBe(`These orders have no invoice: ${due.number}`);
  });

  test("are refused if one is another customer's", async () => {
    const [own, foreign] = [await aPendingOrder(shop), await aPendingOrder(shop)];
    expectRefusal(await askForDownload(own.customer, papersOf([own.order, foreign.order])), 404, 'not-found');
    expect(await listNames(admin, papersOf([own.order, foreign.order]))).toHaveLength(2);
  });

  test('do not open in another role', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const link = await aLink(customer, papersOf([order]));
    await updateUser(shop.db, customer.userId, { role: 'admin' }, clock.now());
    expect((await openLink(shop, link)).status).toBe(404);
  });

  test('do not open once an order belongs to another account', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const link = await aLink(customer, papersOf([order]));
    const other = await signedInAs(shop, 'user');
    await shop.pool.query('update orders set user_id = $1 where id = $2', [other.userId, order._id]);
    expect((await openLink(shop, link)).status).toBe(404);
  });
});

test('a file of many credit notes has a short name', async () => {
  const { customer, order } = await aPendingOrder(shop);
  await addNotes(order, 2096, 4);
  const { headers } = await downloadFile(shop, customer, { what: 'credit-note', order: order._id });
  expect(headers.get('content-disposition')).toMatch(/filename="CN-2096-0000\d-and-\d-more\.pdf"$/);
});

describe('the papers of a month', () => {
  test("are a customer's own, or all for administrators", async () => {
    const [own, other] = [await aPendingOrder(shop), await aPendingOrder(shop)];
    const elsewhen = await anotherOrder(own.customer);
    await movePapers([own.order, other.order], '2031-02-28');
    await movePapers([elsewhen], '2031-03-01');
    const request: DownloadRequest = { what: 'invoices', month: '2031-02', as: 'zip' };
    const names = await Promise.all(
      [own.order, other.order].map(async (each) => `${await findNumber(each)}.pdf`),
    );
    const { files, headers } = await downloadZip(own.customer, request);
    expect(Object.keys(files)).toEqual(names.slice(0, 1));
    expect(headers.get('content-disposition')).toBe('attachment; filename="papers-2031-02.zip"');
    expect(await listNames(admin, request)).toEqual(names);
  });

  test('are refused if there are none', async () => {
    const { customer } = await aPendingOrder(shop);
    const answer = await askForDownload(customer, { what: 'invoices', month: '2032-01', as: 'zip' });
    expectRefusal(answer, 409, 'no-invoice');
    expect(answer.body.detail).toBe('There are no papers of 2032-01');
  });

  test('are never cut', async () => {
    const { customer, order } = await aPendingOrder(shop);
    // More than are read at a time.
    const count = atFullSize(620, 220);
    await addNotes(order, 2098, count);
    await movePapers([order], '2033-05-01');
    const { files } = await downloadZip(customer, { what: 'invoices', month: '2033-05', as: 'zip' });
    const notes = Array.from(
      { length: count },
      (_, index) => `CN-2098-${String(index + 1).padStart(5, '0')}.pdf`,
    );
    expect(Object.keys(files)).toEqual([`${await findNumber(order)}.pdf`, ...notes]);
  });
});

test('no more papers are read after the reader of a zip leaves', async () => {
  const { order } = await aPendingOrder(shop);
  const row = await findInvoice(shop.db, order._id);
  if (!row) throw new Error('The order has no invoice.');
  let count = 0;
  let isEnded = false;
  async function* readEndlessly(): AsyncGenerator<Paper> {
    try {
      for (;;) {
        count += 1;
        yield { row: row as InvoiceRow, invoice: null };
      }
    } finally {
      isEnded = true;
    }
  }
  const zip = renderZip(readEndlessly(), shop.config.shop);
  await once(zip, 'readable');
  zip.destroy();
  await expect.poll(() => isEnded).toBe(true);
  expect(count).toBeLessThan(20);
});
