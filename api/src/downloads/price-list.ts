import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { toCents, toUnitAmount } from '@parts-forge/contract/money';
import { type PriceList, readPriceList } from '@parts-forge/contract/price-list';
import { netPiece } from '@parts-forge/contract/pricing';
import type { Product } from '@parts-forge/contract/products';
import type { FastifyInstance } from 'fastify';
import { readAllPages } from '#src/platform/database/read-all-pages.ts';
import { sendCached } from '#src/platform/http/cache/send-cached.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProducts } from '#src/products/find-products.ts';
import { type Csv, writeCsv } from './csv.ts';
import { unitPrice } from './lists.ts';

type Listed = PriceList['parts'][number];

export function registerPriceList(
  app: FastifyInstance,
  services: Pick<Platform, 'config' | 'database'>,
): void {
  serveCall(app, readPriceList, () => makePriceList(services));

  app.get('/price-list.csv', async (request, reply) => {
    const makeCsv = async () => {
      const { parts } = await makePriceList(services);
      const body = await text(writeCsv(priceCsv, Readable.from([parts])));
      return { headers: { 'content-type': 'text/csv; charset=utf-8' }, body };
    };
    return sendCached(request, reply, await app.responses.get('/price-list.csv', makeCsv, ['catalogue']));
  });
}

async function makePriceList({
  config,
  database,
}: Pick<Platform, 'config' | 'database'>): Promise<PriceList> {
  const rate = config.tax?.rate;
  const price = (amount: number) => ({
    price: amount,
    ...(rate !== undefined && { netPrice: toUnitAmount(netPiece(toCents(amount), rate)) }),
  });
  const pages = readAllPages((page) =>
    findProducts(database.db, { ...page, available: false, sort: 'name' }),
  );
  const parts: Product[] = (await Readable.from(pages).toArray()).flat();
  return {
    currency: 'USD',
    ...(rate !== undefined && { taxPercent: rate / 100 }),
    parts: parts.map(({ _id, number, name, kind, fits, minimumOrder, orderStep, ...part }) => ({
      ...{ _id, number, name, kind, fits, ...price(part.price) },
      priceBreaks: part.priceBreaks.map((each) => ({ quantity: each.quantity, ...price(each.price) })),
      ...{ minimumOrder, orderStep, deliveryDays: part.deliveryDays, availableUntil: part.availableUntil },
    })),
  };
}

const money = (amount: number): string => amount.toFixed(2);

const priceCsv: Csv<Listed> = {
  'Part number': ({ number }) => number,
  Part: ({ name }) => name,
  Kind: ({ kind }) => kind,
  Models: ({ fits }) => fits.join('; '),
  'Unit price (USD)': ({ price }) => money(price),
  'Net price (USD)': ({ netPrice }) => netPrice !== undefined && unitPrice(netPrice),
  'Price breaks (USD)': ({ priceBreaks }) =>
    priceBreaks.map(({ quantity, price }) => `${quantity}: ${money(price)}`).join('; '),
  'Minimum order': ({ minimumOrder }) => minimumOrder,
  'Order step': ({ orderStep }) => orderStep,
  'Delivery (working days)': ({ deliveryDays }) => deliveryDays,
  'Available until': ({ availableUntil }) => availableUntil,
  'Part ID': ({ _id }) => _id,
};
