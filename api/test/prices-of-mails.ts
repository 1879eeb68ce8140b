import type { Product } from '@parts-forge/contract/products/products';
import { readDay } from '@parts-forge/contract/text/days';
import { agreedPrices } from '#src/prices/schema.ts';
import type { Person } from './person.ts';
import type { TestShop } from './start-shop.ts';

/** What mails of prices speak of: a request, and a price that ends today. @returns the request's id */
export async function askAndAgree(
  { db, services }: TestShop,
  customer: Person,
  { _id: productId, minimumOrder }: Product,
): Promise<string> {
  const now = new Date();
  const key = { id: services.ids.next(), userId: customer.userId, productId, fromQuantity: 1 };
  const end = { until: readDay(now, 'UTC'), endKnown: true };
  await db.insert(agreedPrices).values({ ...key, ...end, priceCents: 100, createdAt: now });
  const asked = await customer.post('/quote', { lines: [{ productId, quantity: minimumOrder }] });
  return asked.body.data._id;
}
