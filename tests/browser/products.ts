import { type APIRequestContext, expect } from '@playwright/test';
import { administrator, authorize, getAccessToken } from './people.ts';

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
  const response = await request.post('/product', {
    headers: authorize(await getAccessToken(request, administrator)),
    data: {
      ...product,
      quantity: Math.max(1000, product.quantity),
      description: 'Made for a story of the tests.',
      image: other.image,
    },
  });
  expect(response.status(), await response.text()).toBe(200);
  const { insertedId: _id } = await response.json();
  if (product.quantity < 1000) await restock(request, _id, product.quantity);
  return { _id, ...product };
}

/** For stories with long lists. */
export async function addPartsUpTo(request: APIRequestContext, total: number): Promise<void> {
  const headers = (await request.get('/product?limit=1')).headers();
  for (let have = Number(headers['x-total-count']); have < total; have += 1) await addProduct(request);
}

export async function restock(request: APIRequestContext, id: string, quantity: number): Promise<void> {
  const response = await request.put(`/product/${id}`, {
    headers: authorize(await getAccessToken(request, administrator)),
    data: { quantity },
  });
  expect(response.status()).toBe(200);
}

export async function readStock(request: APIRequestContext, id: string): Promise<number> {
  return (await (await request.get(`/product/${id}`)).json()).data.quantity;
}
