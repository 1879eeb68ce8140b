import type { APIRequestContext } from '@playwright/test';
import { administrator, callAs, type Person } from './people.ts';

export interface Product {
  _id: string;
  name: string;
  /** The next free one by default. */
  number?: string;
  price: number;
  quantity: number;
  minimumOrder: number;
}

let count = 0;

/** For one story, as stories must not share stock. */
export async function addProduct(
  request: APIRequestContext,
  wanted: Partial<Product> = {},
): Promise<Product> {
  count += 1;
  const [other] = await (await request.get('/product?limit=1')).json();
  const product = {
    // No name is a prefix of another, which searches would find too.
    name: `Test part ${process.pid}-${String(count).padStart(4, '0')}`,
    price: 64.5,
    quantity: 24_800,
    minimumOrder: 50,
    ...wanted,
  };
  const { insertedId: _id } = await callAs(request, administrator, 'POST', '/product', {
    ...product,
    quantity: Math.max(1000, product.quantity),
    description: 'Made for a story of the tests.',
    image: other.image,
  });
  if (product.quantity < 1000) await restock(request, _id, product.quantity);
  return { _id, ...product };
}

/** For stories with long lists. */
export async function addPartsUpTo(request: APIRequestContext, total: number): Promise<void> {
  const headers = (await request.get('/product?limit=1')).headers();
  for (let have = Number(headers['x-total-count']); have < total; have += 1) await addProduct(request);
}

export const restock = (request: APIRequestContext, id: string, quantity: number): Promise<void> =>
  callAs(request, administrator, 'PUT', `/product/${id}`, { quantity });

/** Its first edit. */
export const editPrice = (request: APIRequestContext, { _id }: Product, price: number): Promise<void> =>
  callAs(request, administrator, 'PATCH', `/product/${_id}`, { price }, { 'if-match': '"1"' });

/** Into the saved batch, with the least pieces. */
export const saveInBatch = (
  request: APIRequestContext,
  person: Person,
  { _id, minimumOrder }: Product,
): Promise<void> => callAs(request, person, 'PUT', `/batch/${_id}`, { quantity: minimumOrder });

export async function readStock(request: APIRequestContext, id: string): Promise<number> {
  return (await (await request.get(`/product/${id}`)).json()).data.quantity;
}
