import { describe, expect, test } from 'vitest';
import { aProduct, signedInAs } from '#test/builders.ts';
import { downloadPdf } from '#test/downloads.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop({
  env: { SELLER_NAME: 'Fjord Parts AS', SELLER_ADDRESS: 'Havnegata 4, Oslo', SELLER_TAX_ID: 'NO 987' },
});
const admin = usePerson(shop, 'admin');

async function aPayment(name?: string) {
  const customer = await signedInAs(shop, 'user', name === undefined ? {} : { name });
  const product = await aProduct(shop, { name: 'OLED display assembly', price: 61.2 });
  const order = await customer.orders(product, 500);
  return { customer, product, order, transactionId: await customer.pays(order) };
}

/** Limited to this year, as the digits of a UUID in the address may look alike. */
const numberPattern = new RegExp(`\\b${new Date().getUTCFullYear()}-\\d{5}\\b`);

describe('the PDF of an invoice', () => {
  test("contains the invoice's data as text", async () => {
    const { customer, order, product, transactionId } = await aPayment();
    const { pages, info, headers } = await downloadPdf(shop, customer, order);
    const [page = ''] = pages;
    const number = numberPattern.exec(page)?.[0] ?? 'none';
    for (const text of [
      'Invoice',
      customer.name,
      customer.email,
      '12 Oxford Street, Osu',
      'Accra',
      'Fjord Parts AS',
      'Havnegata 4',
      'Tax number NO 987',
      'OLED display assembly',
      product.number,
      '500',
      '$61.20',
      '$30,600.00',
      transactionId,
      'Balance $0.00',
      String(order.number),
      '1 of 1',
      'USD',
    ]) {
      expect(page).toContain(text);
    }
    expect(pages).toHaveLength(1);
    expect(info).toMatchObject({ Title: `Invoice ${number}`, Author: 'Fjord Parts AS' });
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="invoice-${number}.pdf"`);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('stays the same file', async () => {
    const { customer, order } = await aPayment();
    const first = await downloadPdf(shop, customer, order);
    const second = await downloadPdf(shop, admin, order);
    expect(first.bytes.equals(second.bytes)).toBe(true);
  });

  test('is PDF/A with embedded fonts', async () => {
    const { customer, order } = await aPayment();
    const { bytes } = await downloadPdf(shop, customer, order);
    const source = bytes.toString('latin1');
    expect(source).toContain('<pdfaid:part>2</pdfaid:part>');
    expect(source).toContain('<pdfaid:conformance>B</pdfaid:conformance>');
    expect(source).toContain('/OutputIntent');
    const faces = [...source.matchAll(/\/BaseFont \/([\w+-]+)/g)].map(([, name]) => name);
    expect(new Set(faces).size).toBe(3);
    for (const face of faces) expect(face).toMatch(/^[A-Z]{6}\+(IBMPlexSans|MonaSans)/);
    // Subsets, as the whole fonts have 400 kB.
    expect(bytes.length).toBeLessThan(60_000);
  });

  test('prints Latin, Greek and Cyrillic letters, others as question marks', async () => {
    const { customer, order } = await aPayment('Łukasz Ωμέγα Жанна 山田');
    const [page] = (await downloadPdf(shop, customer, order)).pages;
    expect(page).toContain('Łukasz Ωμέγα Жанна ??');
  });

  test('holds the longest texts on two sheets', async () => {
    const customer = await signedInAs(shop, 'user', { name: 'W'.repeat(120) });
    const product = await aProduct(shop, { name: 'M'.repeat(120) });
    const { database } = shop.services;
    const order = await customer.orders(product, 500);
    await database.pool.query('update orders set address = $1, reference = $2 where id = $3', [
      Array.from({ length: 200 }, () => 'W').join('\n'),
      'W'.repeat(60),
      order._id,
    ]);
    await customer.pays(order);
    const { pages } = await downloadPdf(shop, customer, order);
    expect(pages).toHaveLength(2);
    expect(pages[0]).toContain('1 of 2');
    expect(pages[1]).toContain('2 of 2');
  });
});

test("a credit note's PDF names its invoice and the refunded money", async () => {
  const { customer, order } = await aPayment();
  await admin.refunds(order, { returnStock: true });
  const invoice = await downloadPdf(shop, customer, order);
  const note = await downloadPdf(shop, customer, order, 'credit-note');
  const [page = ''] = note.pages;
  const number = numberPattern.exec(invoice.pages[0] ?? '')?.[0];
  expect(page).toContain('Credit note');
  expect(page).toContain(`For invoice ${number}. Refunded to the card.`);
  expect(page).toContain('\u2212$30,600.00');
  expect(page).not.toContain('Balance');
  expect(note.headers.get('content-disposition')).toMatch(/filename="CN-\d{4}-\d{5}\.pdf"/);
});
