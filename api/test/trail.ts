import type { Activity, OrderEvent, StockMove } from '@parts-forge/contract/events/trail';
import { signedInAs } from './builders.ts';
import type { Person } from './person.ts';
import type { TestShop } from './start-shop.ts';

/** Newest first. */
export async function readActivity(shop: TestShop, query = ''): Promise<Activity[]> {
  const admin = await signedInAs(shop, 'admin');
  const { status, body } = await admin.get(`/activity${query}`);
  if (status !== 200) throw new Error(`The activity was refused: ${JSON.stringify(body)}`);
  return body.data;
}

/** Newest first. */
export async function readLedger(shop: TestShop, productId: string, query = ''): Promise<StockMove[]> {
  const admin = await signedInAs(shop, 'admin');
  const { status, body } = await admin.get(`/product/${productId}/stock${query}`);
  if (status !== 200) throw new Error(`The ledger was refused: ${JSON.stringify(body)}`);
  return body.data;
}

/** Newest first. */
export async function readTrail(reader: Person, orderId: string): Promise<OrderEvent[]> {
  const { status, body } = await reader.get(`/order/${orderId}/trail`);
  if (status !== 200) throw new Error(`The trail was refused: ${JSON.stringify(body)}`);
  return body.data;
}
