import { type APIRequestContext, expect } from '@playwright/test';
import { accessTokenOf, administrator } from './people.ts';

export interface Part {
  _id: string;
  name: string;
  price: number;
  quantity: number;
  minimumOrder: number;
}

let made = 0;

/** A part of its own for one story, so that stories do not take each other's stock. */
export async function aPart(request: APIRequestContext, wanted: Partial<Part> = {}): Promise<Part> {
  made += 1;
  const [shown] = await (await request.get('/product?limit=1')).json();
  const part = {
    name: `Test part ${process.pid}-${made}`,
    price: 64.5,
    quantity: 24_800,
    minimumOrder: 50,
    ...wanted,
  };
  const authorization = `Bearer ${await accessTokenOf(request, administrator)}`;
  const answer = await request.post('/product', {
    headers: { authorization },
    data: {
      ...part,
      quantity: Math.max(1000, part.quantity),
      description: 'Made for a story of the tests.',
      image: shown.image,
    },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  const { insertedId: _id } = await answer.json();
  if (part.quantity < 1000) await restock(request, _id, part.quantity);
  return { _id, ...part };
}

/** Sets the stock, as an administrator does. */
export async function restock(request: APIRequestContext, id: string, quantity: number): Promise<void> {
  const authorization = `Bearer ${await accessTokenOf(request, administrator)}`;
  const answer = await request.put(`/product/${id}`, { headers: { authorization }, data: { quantity } });
  expect(answer.status()).toBe(200);
}

/** The stock as everybody can read it. */
export async function stockOf(request: APIRequestContext, id: string): Promise<number> {
  return (await (await request.get(`/product/${id}`)).json()).data.quantity;
}
