import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Calls, Person } from './calls.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';

export interface Part {
  _id: string;
  price: number;
  minimumOrder: number;
}

export interface Cast {
  calls: Calls;
  journal: Journal;
  random: Random;
  customers: readonly Person[];
  administrator: Person;
  /** The first sells out repeatedly. */
  parts: readonly Part[];
}

export interface Load {
  /** Waits for pending answers. */
  stop(): Promise<void>;
}

export function startLoad(cast: Cast): Load {
  let isOver = false;
  const everybody = cast.customers.map(async (customer) => {
    while (!isOver) {
      await order(cast, customer);
      await pause(cast.random.integer(0, 20));
    }
  });
  const reader = (async () => {
    const paths = ['/', '/all-products', '/product', '/product?limit=3', '/review', '/config', '/healthz'];
    while (!isOver) {
      await cast.calls.call('GET', cast.random.pick(paths));
      await pause(5);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await Promise.all([...everybody, reader]);
    },
  };
}

async function order(cast: Cast, customer: Person): Promise<void> {
  const { random, journal } = cast;
  const part = random.next() < 0.3 ? cast.parts[0] : random.pick(cast.parts);
  if (!part) return;
  const quantity = part.minimumOrder + random.integer(0, 20);
  const orderId = await place(cast, customer, part, quantity);
  if (orderId === null) return;
  const fate = random.next();
  if (fate < 0.3) return cancel(cast, customer, orderId);
  const total = Math.round(part.price * 100 * quantity) / 100;
  if (fate < 0.4) {
    await Promise.all([pay(cast, customer, orderId, total), cancel(cast, customer, orderId)]);
    return;
  }
  if (fate < 0.8) await pay(cast, customer, orderId, total);
  if (!journal.recorded.has(orderId)) return;
  if (random.next() < 0.3) await refund(cast, orderId);
  else if (random.next() < 0.6) await accept(cast, orderId);
}

/** Retries with the same key, like a page without a connection. */
async function place(
  { calls, journal }: Cast,
  person: Person,
  part: Part,
  quantity: number,
): Promise<string | null> {
  const key = randomUUID();
  const body = describeOrder(person, part, quantity, `12 Oxford Street, ${key}`);
  const answer = await insist(() => calls.call('POST', '/order', { person, body, key }));
  const orderId: unknown = answer?.body?.insertedId;
  if (typeof orderId !== 'string') return null;
  journal.placed.set(key, { orderId, quantity });
  return orderId;
}

export const describeOrder = (person: Person, part: Part, quantity: number, address: string) => ({
  productId: part._id,
  name: person.name,
  email: person.email,
  address,
  phone: '233302771204',
  quantity,
  totalPrice: Math.round(part.price * 100 * quantity) / 100,
});

async function pay({ calls, journal }: Cast, person: Person, orderId: string, price: number): Promise<void> {
  const opened = await insist(() =>
    calls.call('POST', '/create-payment-intent', { person, body: { price, order: orderId } }),
  );
  const clientSecret: unknown = opened?.body?.clientSecret;
  if (typeof clientSecret !== 'string') return;
  const confirmed = await insist(() => calls.confirmCard(clientSecret));
  if (confirmed?.body?.status !== 'succeeded') return;
  const transactionId = clientSecret.replace(/_secret_.*$/, '');
  const recorded = await insist(() =>
    calls.call('PUT', `/order/${orderId}`, { person, body: { order: orderId, transactionId } }),
  );
  if (recorded?.status === 200) journal.recorded.add(orderId);
}

async function cancel({ calls, journal }: Cast, person: Person, orderId: string): Promise<void> {
  const answer = await insist(() => calls.call('DELETE', `/order/${orderId}`, { person }));
  if (answer?.status === 200 && answer.body.deletedCount === 1) journal.cancelled.add(orderId);
}

async function accept({ calls, journal, administrator }: Cast, orderId: string): Promise<void> {
  const answer = await insist(() =>
    calls.call('PUT', `/order/accept/${orderId}`, { person: administrator, body: { status: 'paid' } }),
  );
  if (answer?.status === 200) journal.accepted.add(orderId);
}

async function refund({ calls, journal, administrator }: Cast, orderId: string): Promise<void> {
  const answer = await insist(() =>
    calls.call('POST', `/order/${orderId}/refund`, { person: administrator, body: { returnStock: true } }),
  );
  if (answer?.status === 200) journal.refunded.add(orderId);
}

/**
 * Retries while the shop is unavailable.
 * @returns `undefined` after a minute
 */
async function insist(call: () => Promise<Answer>): Promise<Answer | undefined> {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    const answer = await call();
    if (answer.status !== 0 && answer.status !== 429 && answer.status < 500) return answer;
    await pause(100);
  }
  return undefined;
}
