import type { Activity, OrderEvent, StockMove } from '@parts-forge/contract/events/trail';
import { signedInAs } from './builders.ts';
import type { SignedIn } from './order-calls.ts';
import type { TestShop } from './start-shop.ts';

/** Newest first. */
export async function readActivity(shop: TestShop, query = ''): Promise<Activity[]> {
  const admin = await signedInAs(shop, 'admin');
  const { status, body } = await shop.request(`/activity${query}`, { token: admin.token });
  if (status !== 200) throw new Error(`The activity was refused: ${JSON.stringify(body)}`);
  return body.data;
}

/** Newest first. */
export async function readLedger(shop: TestShop, productId: string, query = ''): Promise<StockMove[]> {
  const admin = await signedInAs(shop, 'admin');
  const { status, body } = await shop.request(`/product/${productId}/stock${query}`, { token: admin.token });
  if (status !== 200) throw new Error(`The ledger was refused: ${JSON.stringify(body)}`);
  return body.data;
}

/** Newest first. */
export async function readTrail(shop: TestShop, reader: SignedIn, orderId: string): Promise<OrderEvent[]> {
  const { status, body } = await shop.request(`/order/${orderId}/trail`, { token: reader.token });
  if (status !== 200) throw new Error(`The trail was refused: ${JSON.stringify(body)}`);
  return body.data;
}
