import { makeDataFolder } from './data-folder.ts';
import { type Figure, summarize } from './figures.ts';
import { type Asking, type LoadGenerator, startLoadGenerator } from './load.ts';
import {
  buildUrl,
  minimumOrder,
  type OrderDatabases,
  priceCents,
  startOrderDatabases,
} from './order-database.ts';
import { findPgbench, runPgbench } from './pgbench.ts';
import { startShop } from './shop-process.ts';

const rounds = 5;
const measuredSeconds = 3;
/** Customers at the shop, clients of pgbench, and connections of each to the database: the shop's pool has as many. */
const connections = 16;
const sent = { address: '12 Oxford Street, Osu, Accra', phone: '233302771204' };

export interface OrderResult {
  postgres: number;
  connections: number;
  perSecond: Figure;
  pgbenchPerSecond: Figure;
  /** Of each round's pair. */
  ratio: Figure;
  percentile99Ms: Figure;
}

/**
 * Orders per second through `POST /order`, and of pgbench running the shop's own statement.
 * @returns the reason, as a sentence, when this machine has no PostgreSQL or no pgbench to measure on
 */
export async function measureOrders(): Promise<OrderResult | string> {
  const pgbench = await findPgbench();
  if (!pgbench) return 'No PostgreSQL of version 15 or newer with pgbench is installed here.';
  const databases = await startOrderDatabases(connections);
  if (!databases) return 'The installed PostgreSQL could not be started.';
  const folder = makeDataFolder();
  const generator = startLoadGenerator();
  try {
    const shop = await startShop({
      DATA_DIR: folder.path,
      DATABASE_URL: buildUrl(databases.shop),
      SEED: 'none',
    });
    try {
      await shop.firstSuccess('/readyz');
      return await measureRounds(databases, {
        throughShop: (warmUpMs) => ordersThroughShop(databases, generator, shop.port, warmUpMs),
        byPgbench: (round) =>
          runPgbench({
            program: pgbench,
            database: databases.yardstick,
            connections,
            measuredSeconds,
            round,
            order: sent,
            folder: folder.path,
          }),
      });
    } finally {
      await shop.stop();
    }
  } finally {
    await generator.stop();
    await databases.stop();
    await folder.remove();
  }
}

interface Sides {
  throughShop(warmUpMs: number): Promise<{ perSecond: number; percentile99Ms: number }>;
  byPgbench(round: number): Promise<{ orders: number; perSecond: number }>;
}

async function measureRounds(databases: OrderDatabases, { throughShop, byPgbench }: Sides) {
  const shopRuns: { perSecond: number; percentile99Ms: number }[] = [];
  const pgbenchRuns: { orders: number; perSecond: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await databases.checkpoint();
    pgbenchRuns.push(await byPgbench(round));
    await databases.checkpoint();
    shopRuns.push(await throughShop(round === 0 ? 1000 : 200));
  }
  const expected = pgbenchRuns.reduce((sum, { orders }) => sum + orders, 0);
  const written = await databases.countOrders(databases.yardstick);
  if (written !== expected)
    throw new Error(`pgbench counted ${expected} orders, and ${written} are written.`);
  return {
    postgres: databases.majorVersion,
    connections,
    perSecond: summarize(
      shopRuns.map(({ perSecond }) => perSecond),
      0,
    ),
    pgbenchPerSecond: summarize(
      pgbenchRuns.map(({ perSecond }) => perSecond),
      0,
    ),
    ratio: summarize(
      shopRuns.map(({ perSecond }, round) => perSecond / (pgbenchRuns[round]?.perSecond ?? Number.NaN)),
      2,
    ),
    percentile99Ms: summarize(
      shopRuns.map(({ percentile99Ms }) => percentile99Ms),
      1,
    ),
  };
}

async function ordersThroughShop(
  databases: OrderDatabases,
  generator: LoadGenerator,
  port: number,
  warmUpMs: number,
) {
  const { customers, productIds } = databases;
  const asking: Asking = {
    kind: 'order',
    customers,
    productIds,
    order: {
      ...sent,
      productName: 'Display assembly',
      quantity: minimumOrder,
      totalPrice: (minimumOrder * priceCents) / 100,
      status: 'due',
      image: '/images/panel-1280.webp',
    },
  };
  const before = await databases.countOrders(databases.shop);
  const result = await generator.run({
    port,
    connections,
    warmUpMs,
    measuredMs: measuredSeconds * 1000,
    asking,
  });
  const written = (await databases.countOrders(databases.shop)) - before;
  if (written < result.answers) {
    throw new Error(`The shop confirmed ${result.answers} orders, and ${written} are written.`);
  }
  return result;
}
