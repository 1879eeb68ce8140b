import { randomBytes, randomUUID } from 'node:crypto';
import type { Caller, Policy } from '@parts-forge/contract/calls/policies';
import { lineCents } from '@parts-forge/contract/money/pricing';
import type { Order } from '@parts-forge/contract/orders/orders';
import { buildImageAddress } from '@parts-forge/contract/products/image-variant';
import type { Product } from '@parts-forge/contract/products/products';
import type { FastifyRequest } from 'fastify';
import { insertImages } from '#src/images/store.ts';
import { authorize } from '#src/platform/http/calls/access.ts';
import { products } from '#src/products/schema.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { users } from '#src/users/schema.ts';
import type { Answer } from './answer.ts';
import {
  acceptPayment,
  anOpenPayment,
  cancelOrder,
  openPayment,
  pay,
  readClosedOrder,
  readOrder,
  recordPayment,
  refundOrder,
  type SignedIn,
} from './order-calls.ts';
import type { TestShop } from './start-shop.ts';

/** Calls the shop with the own token. */
export interface Person extends SignedIn {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post: Send;
  put: Send;
  patch: Send;
  delete: Send;
  /** Due. */
  orders(product: Product, quantity?: number): Promise<Order>;
  places(product: Product, quantity?: number, headers?: Record<string, string>): Promise<Answer>;
  reads: ByPerson<typeof readOrder>;
  readsClosed: ByPerson<typeof readClosedOrder>;
  cancels: ByPerson<typeof cancelOrder>;
  /** As the page does when it opens. */
  asksToPay: ByPerson<typeof openPayment>;
  opensPayment: ByPerson<typeof anOpenPayment>;
  records: ByPerson<typeof recordPayment>;
  pays: ByPerson<typeof pay>;
  accepts: ByPerson<typeof acceptPayment>;
  refunds: ByPerson<typeof refundOrder>;
}

type Send = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

type ByPerson<Call> = Call extends (shop: TestShop, who: SignedIn, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** Creates the token directly: sign-in has its own tests. */
export async function signedInAs(
  shop: TestShop,
  role: 'user' | 'admin',
  { name = 'Amara Okafor', email = `${randomUUID()}@fieldrepair.example` } = {},
): Promise<Person> {
  const userId = shop.services.ids.next();
  const { token } = await shop.services.changes.write(async (tx) => {
    await tx.insert(users).values({ id: userId, email, name, role });
    return shop.services.tokens.issue(tx, userId, { signedInAt: shop.services.clock.now() });
  });
  const send =
    (method: string): Send =>
    (path, body, headers = {}) =>
      shop.request(path, { method, token, body, headers });
  const by =
    <Rest extends unknown[], Result>(call: (shop: TestShop, who: SignedIn, ...rest: Rest) => Result) =>
    (...rest: Rest) =>
      call(shop, person, ...rest);
  const person: Person = {
    userId,
    email,
    name,
    token,
    get: (path, headers = {}) => shop.request(path, { token, headers }),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: send('DELETE'),
    orders: by(anOrder),
    places: by(placeOrder),
    reads: by(readOrder),
    readsClosed: by(readClosedOrder),
    cancels: by(cancelOrder),
    asksToPay: by(openPayment),
    opensPayment: by(anOpenPayment),
    records: by(recordPayment),
    pays: by(pay),
    accepts: by(acceptPayment),
    refunds: by(refundOrder),
  };
  return person;
}

/** The actor of a request with the person's token, for a test that calls a use case itself. */
export const actorOf = <Who extends Caller>(
  { services: { tokens } }: TestShop,
  { token }: SignedIn,
  call: { policy: Policy<Who> },
) => {
  const request = { headers: { authorization: `Bearer ${token}` }, query: {} };
  return authorize(request as unknown as FastifyRequest, call, tokens);
};

/** `price` in dollars, other numbers in pieces. */
export async function aProduct(
  shop: TestShop,
  {
    name = `Display ${randomBytes(4).toString('hex')}`,
    price = 19.99,
    quantity = 1000,
    minimumOrder = 50,
    orderStep = 1,
    priceBreaks = [] as Product['priceBreaks'],
    number = undefined as string | undefined,
  } = {},
): Promise<Product> {
  const id = shop.services.ids.next();
  await shop.services.changes.write(async (tx, changed) => {
    await tx.insert(products).values({
      id,
      name,
      ...(number && { number }),
      description: 'Flexible panel bonded to its cover glass.',
      priceCents: Math.round(price * 100),
      quantity,
      minimumOrder,
      orderStep,
      priceBreaks: priceBreaks.map((each) => ({
        quantity: each.quantity,
        priceCents: Math.round(each.price * 100),
      })),
      image: `/images/${'0'.repeat(64)}-1280.webp`,
    });
    await writeEntry(tx, {
      id: shop.services.ids.next(),
      now: shop.services.clock.now(),
      event: 'product-added',
      productId: id,
      stockChange: quantity,
    });
    changed('products', 'catalogue');
  });
  return readProduct(shop, id);
}

export const readProduct = async (shop: TestShop, id: string): Promise<Product> =>
  (await shop.request(`/product/${id}`)).body.data;

export const orderBody = (customer: SignedIn, product: Product, quantity = product.minimumOrder) => ({
  email: customer.email,
  name: customer.name,
  address: '12 Oxford Street, Osu\nAccra',
  phone: '233302771204',
  productId: product._id,
  productName: product.name,
  quantity,
  totalPrice: lineCents(quantity, { ...product, priceBreaks: [] }) / 100,
  status: 'due',
  image: product.image,
});

export const placeOrder = (
  shop: TestShop,
  customer: SignedIn,
  product: Product,
  quantity?: number,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  shop.request('/order', {
    method: 'POST',
    token: customer.token,
    body: orderBody(customer, product, quantity),
    headers,
  });

/** Due. */
export async function anOrder(
  shop: TestShop,
  customer: SignedIn,
  product: Product,
  quantity?: number,
): Promise<Order> {
  const placed = await placeOrder(shop, customer, product, quantity);
  if (placed.status !== 200) throw new Error(`The order was refused: ${JSON.stringify(placed.body)}`);
  return (await shop.request(`/order/${placed.body.insertedId}`, { token: customer.token })).body;
}

/** A known picture without files. @returns its address */
export async function aPicture({ services }: TestShop, hash: string): Promise<string> {
  const address = buildImageAddress(hash);
  const size = { width: 10, height: 10, bytes: 10 };
  await insertImages(services.database.db, [{ address, hash, type: 'webp', ...size }]);
  return address;
}

export type BatchLines = readonly (readonly [Product, quantity: number])[];

/** Each part at its price. */
export const batchBody = (customer: SignedIn, lines: BatchLines) => ({
  email: customer.email,
  address: '12 Oxford Street, Osu\nAccra',
  phone: '233302771204',
  lines: lines.map(([product, quantity]) => ({
    productId: product._id,
    quantity,
    totalPrice: quantity * product.price,
  })),
});

export const placeBatch = (
  shop: TestShop,
  customer: SignedIn,
  lines: BatchLines,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  shop.request('/order/batch', {
    method: 'POST',
    token: customer.token,
    body: batchBody(customer, lines),
    headers,
  });
