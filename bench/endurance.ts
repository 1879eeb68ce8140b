import { partPath } from '@parts-forge/contract/part-rules';
import { findProduct } from './find-product.ts';
import { type Asking, type Customer, type LoadGenerator, type LoadPlan, startLoadGenerator } from './load.ts';
import { readShares, type Shares } from './memory.ts';
import { firstNumber, minimumOrder, order, priceCents } from './order-database.ts';
import { ask, readText, register, signIn, signInAsAdministrator } from './people.ts';
import { besideDemoShop, type ShopProcess } from './shop-process.ts';

const minutes = 60;
const minuteMs = 60_000;
/** One person a connection. */
const reading = { connections: 8, pauseMs: 20 };
const ordering = { connections: 4, pauseMs: 100 };
const signingIn = { connections: 1, pauseMs: 1000 };
/** Garbage collection makes memory fluctuate. */
const lastMinutes = 5;

/** All processes, in MiB. */
export interface EnduranceResult {
  minutes: number;
  readsPerSecond: number;
  ordersPerSecond: number;
  signInsPerSecond: number;
  afterAMinute: Shares;
  /** Their maximum. */
  atTheEnd: Shares;
  /** Of the sums. */
  ratio: number;
}

/**
 * An hour of reads, orders and sign-ins on the embedded database.
 * @returns the reason, as a sentence, without figures of shared memory
 */
export async function measureEndurance(): Promise<EnduranceResult | string> {
  if (process.platform !== 'linux') return 'Only Linux tells how much memory processes share.';
  const generators = [startLoadGenerator(), startLoadGenerator(), startLoadGenerator()] as const;
  try {
    return await besideDemoShop((shop) => useForAnHour(shop, generators));
  } finally {
    await Promise.all(generators.map((generator) => generator.stop()));
  }
}

async function useForAnHour(
  shop: ShopProcess,
  [reads, orders, signIns]: readonly [LoadGenerator, LoadGenerator, LoadGenerator],
): Promise<EnduranceResult> {
  const origin = `http://127.0.0.1:${shop.port}`;
  const productId = await addEndlessProduct(origin);
  const people = Array.from({ length: ordering.connections }, (_, index) => ({
    email: `customer-${firstNumber + index}@bench.example`,
    password: 'measured, never used',
  }));
  for (const person of people) await register(origin, person);
  const paths = [
    '/',
    '/all-products',
    '/product',
    partPath(await findProduct(shop.port)),
    '/product?q=display',
    '/review',
  ];
  const taken: Shares[] = [];
  const answers = { reads: 0, orders: 0, signIns: 0 };
  for (let minute = 0; minute < minutes; minute += 1) {
    // Access tokens expire within the hour.
    const customers = await Promise.all(people.map((person) => comeAgain(origin, person)));
    const measuredMs = minuteMs / paths.length;
    const run = (generator: LoadGenerator, plan: Omit<LoadPlan, 'port' | 'warmUpMs' | 'measuredMs'>) =>
      generator.run({ port: shop.port, warmUpMs: 0, measuredMs, ...plan });
    for (const path of paths) {
      const buying: Asking = {
        kind: 'order',
        customers,
        productIds: [productId],
        order,
        readsProduct: false,
      };
      const [read, ordered, signedIn] = await Promise.all([
        run(reads, { ...reading, asking: { kind: 'read', path } }),
        run(orders, { ...ordering, asking: buying }),
        run(signIns, { ...signingIn, asking: { kind: 'sign-in', people: people.slice(0, 1) } }),
      ]);
      answers.reads += read.answers;
      answers.orders += ordered.answers;
      answers.signIns += signedIn.answers;
    }
    taken.push(readShares(shop));
  }
  return summarize(taken, answers);
}

function summarize(
  taken: readonly Shares[],
  answers: Record<'reads' | 'orders' | 'signIns', number>,
): EnduranceResult {
  const sum = ({ launcher, server, postgres }: Shares) => launcher + server + postgres;
  const [afterAMinute] = taken;
  const [atTheEnd] = taken.slice(-lastMinutes).sort((a, b) => sum(b) - sum(a));
  if (!afterAMinute || !atTheEnd) throw new Error('Nothing was measured.');
  const perSecond = (count: number) => Math.round(count / (minutes * 60));
  return {
    minutes,
    readsPerSecond: perSecond(answers.reads),
    ordersPerSecond: perSecond(answers.orders),
    signInsPerSecond: perSecond(answers.signIns),
    afterAMinute,
    atTheEnd,
    ratio: Number((sum(atTheEnd) / sum(afterAMinute)).toFixed(2)),
  };
}

async function comeAgain(origin: string, person: { email: string; password: string }): Promise<Customer> {
  return { email: person.email, name: 'Bench', token: await signIn(origin, person) };
}

/** Ten times the stock of an hour's orders. @returns its id */
async function addEndlessProduct(origin: string): Promise<string> {
  const { image } = await ask(`${origin}/product?limit=1`, {})
    .then((answer) => answer.json() as Promise<{ image: string }[]>)
    .then(([first]) => first ?? Promise.reject(new Error('The shop has no part.')));
  const added = await ask(`${origin}/product`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${await signInAsAdministrator(origin)}`,
    },
    body: JSON.stringify({
      name: 'Display assembly of the hour',
      description: 'Flexible panel bonded to its cover glass.',
      price: priceCents / 100,
      quantity: 100_000_000,
      minimumOrder,
      image,
    }),
  });
  return readText(added, 'insertedId');
}
