import { toAmount } from '@parts-forge/contract/money/money';
import { lineCents } from '@parts-forge/contract/money/pricing';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { Product } from '@parts-forge/contract/products/products';
import type { Answer } from './answer.ts';
import type { TestShop } from './start-shop.ts';

export const readIntentId = (clientSecret: string) => clientSecret.replace(/_secret_.*$/, '');

/** Like the card form, with a test token. */
export async function confirmCard(
  shop: TestShop,
  clientSecret: string,
  paymentMethod = 'pm_card_visa',
): Promise<Answer> {
  const response = await fetch(
    `${shop.url}/sandbox/stripe/v1/payment_intents/${readIntentId(clientSecret)}/confirm`,
    {
      method: 'POST',
      body: new URLSearchParams({
        key: 'pk_test_sandbox',
        client_secret: clientSecret,
        payment_method: paymentMethod,
      }),
    },
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export type Calls = ReturnType<typeof callsWith>;

/** Calls of a shop with a token. */
export function callsWith(shop: TestShop, token: string) {
  const send =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      shop.request(path, { method, token, body, headers });
  return {
    token,
    get: (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      shop.request(path, { token, headers }),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: send('DELETE'),
  };
}

interface Identity {
  userId: string;
  email: string;
  name: string;
  token: string;
}

export type Person = ReturnType<typeof personAt>;

/** Somebody with a valid access token, and what they do at the shop. */
export function personAt(shop: TestShop, { userId, email, name, token }: Identity) {
  const calls = callsWith(shop, token);
  const places = (product: Product, quantity?: number, headers: Record<string, string> = {}) =>
    calls.post('/order', orderBody({ email, name }, product, quantity), headers);
  /** As the page does when it opens. */
  const asksToPay = (order: Order) =>
    calls.post('/create-payment-intent', { price: order.totalPrice, order: order._id });
  /** As the page does after the card form. */
  const records = (order: Order, transactionId: string) =>
    calls.put(`/order/${order._id}`, { order: order._id, transactionId });
  async function opensPayment(order: Order): Promise<{ clientSecret: string; id: string }> {
    const { clientSecret } = succeeded(await asksToPay(order));
    return { clientSecret, id: readIntentId(clientSecret) };
  }
  return {
    ...calls,
    userId,
    email,
    name,
    places,
    asksToPay,
    opensPayment,
    records,
    /** The new order is due. */
    async orders(product: Product, quantity?: number): Promise<Order> {
      const { insertedId } = succeeded(await places(product, quantity));
      return (await calls.get(`/order/${insertedId}`)).body;
    },
    /** Null when not found. */
    async reads({ _id }: Pick<Order, '_id'>): Promise<Order | null> {
      const { status, body } = await calls.get(`/order/${_id}`);
      return status === 404 ? null : body;
    },
    /** Also reads a closed order. */
    readsClosed: async ({ _id }: Pick<Order, '_id'>): Promise<Order> =>
      (await calls.get(`/order/${_id}?closed=true`)).body,
    cancels: ({ _id }: Pick<Order, '_id'>) => calls.delete(`/order/${_id}`),
    /** With the test card that succeeds: the order becomes pending. @returns the payment's id */
    async pays(order: Order): Promise<string> {
      const { clientSecret, id } = await opensPayment(order);
      await confirmCard(shop, clientSecret);
      succeeded(await records(order, id));
      return id;
    },
    placesBatch: (lines: BatchLines, headers: Record<string, string> = {}) =>
      calls.post('/order/batch', batchBody({ email }, lines), headers),
    accepts: ({ _id }: Pick<Order, '_id'>, more: object = {}) =>
      calls.put(`/order/accept/${_id}`, { status: 'paid', ...more }),
    refunds: ({ _id }: Pick<Order, '_id'>, body: object = { returnStock: true }) =>
      calls.post(`/order/${_id}/refund`, body),
  };
}

function succeeded({ status, body }: Answer) {
  if (status !== 200) throw new Error(`The call was refused: ${JSON.stringify(body)}`);
  return body;
}

export const orderBody = (
  { email, name }: Pick<Identity, 'email' | 'name'>,
  product: Product,
  quantity = product.minimumOrder,
) => ({
  email,
  name,
  address: '12 Oxford Street, Osu\nAccra',
  phone: '233302771204',
  productId: product._id,
  productName: product.name,
  quantity,
  totalPrice: toAmount(lineCents(quantity, { ...product, priceBreaks: [] })),
  status: 'due',
  image: product.image,
});

export type BatchLines = readonly (readonly [Product, quantity: number])[];

/** Each part at its price. */
export const batchBody = ({ email }: Pick<Identity, 'email'>, lines: BatchLines) => ({
  email,
  address: '12 Oxford Street, Osu\nAccra',
  phone: '233302771204',
  lines: lines.map(([product, quantity]) => ({
    productId: product._id,
    quantity,
    totalPrice: quantity * product.price,
  })),
});
