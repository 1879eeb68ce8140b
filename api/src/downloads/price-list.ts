import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import { toCents, toUnitAmount, withCurrency, writeAmount } from '@parts-forge/contract/money/money';
import { netPiece } from '@parts-forge/contract/money/pricing';
import { type PriceList, readPriceList } from '@parts-forge/contract/products/price-list';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#src/platform/database/connection.ts';
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
  const rate = services.config.tax?.rate;
  serveCall(app, readPriceList, async (): Promise<PriceList> => {
    const pages: Listed[][] = await Readable.from(listParts(services.database, rate)).toArray();
    return {
      currency: shopCurrency().code,
      ...(rate !== undefined && { taxPercent: rate / 100 }),
      parts: pages.flat(),
    };
  });

  app.get('/price-list.csv', async (request, reply) => {
    const makeCsv = async () => {
      const body = await text(writeCsv(createPriceCsv(rate), listParts(services.database, rate)));
      return { headers: { 'content-type': 'text/csv; charset=utf-8' }, body };
    };
    return sendCached(request, reply, await app.responses.get('/price-list.csv', makeCsv, ['catalogue']));
  });
}

/** Page by page, so that 10,000 parts do not stop the event loop. @param rate of the tax in the prices */
async function* listParts({ db }: Database, rate: number | undefined): AsyncGenerator<Listed[]> {
  const price = (amount: number) => ({
    price: amount,
    ...(rate !== undefined && { netPrice: toUnitAmount(netPiece(toCents(amount), rate)) }),
  });
  const pages = readAllPages((page) => findProducts(db, { ...page, available: false, sort: 'name' }));
  for await (const parts of pages)
    yield parts.map(
      ({ description, attributes, quantity, image, images, version, createdAt, updatedAt, ...part }) => ({
        ...part,
        ...price(part.price),
        priceBreaks: part.priceBreaks.map((each) => ({ quantity: each.quantity, ...price(each.price) })),
      }),
    );
}

/** A new column stands at the end, for programs that count them. */
const createPriceCsv = (rate: number | undefined): Csv<Listed> => ({
  'Part number': ({ number }) => number,
  Part: ({ name }) => name,
  Kind: ({ kind }) => kind,
  Models: ({ fits }) => fits.join('; '),
  [withCurrency('Unit price')]: ({ price }) => writeAmount(price),
  [withCurrency('Net price')]: ({ netPrice }) => netPrice !== undefined && unitPrice(netPrice),
  [withCurrency('Price breaks')]: ({ priceBreaks }) =>
    priceBreaks.map(({ quantity, price }) => `${quantity}: ${writeAmount(price)}`).join('; '),
  'Minimum order': ({ minimumOrder }) => minimumOrder,
  'Order step': ({ orderStep }) => orderStep,
  'Delivery (working days)': ({ deliveryDays }) => deliveryDays,
  'Available until': ({ availableUntil }) => availableUntil,
  'Part ID': ({ _id }) => _id,
  [withCurrency('Net price breaks')]: ({ priceBreaks }) =>
    priceBreaks
      .flatMap(({ quantity, netPrice }) =>
        netPrice === undefined ? [] : `${quantity}: ${unitPrice(netPrice)}`,
      )
      .join('; '),
  'Tax rate (%)': () => rate !== undefined && (rate / 100).toFixed(2),
  'Replaced by': ({ replacedBy }) => replacedBy,
  Expected: ({ expectedAt }) => expectedAt,
  'Also known as': ({ alsoKnownAs }) => alsoKnownAs.join('; '),
});
