import { assertSame, fetchAnswer, startBareServer } from './bare-answer.ts';
import { makeDataFolder } from './data-folder.ts';
import { type Figure, summarize } from './figures.ts';
import { type LoadPlan, type LoadResult, startLoadGenerator } from './load.ts';
import { buildUrl, type OrderDatabases, order, startOrderDatabases } from './order-database.ts';
import { startShop } from './shop-process.ts';

const rounds = 5;
const measuredMs = 2000;
const readers = 32;
/** Together about 500 orders per second. */
const customers = 25;
const pauseMs = 47;
const paths = ['/product', '/all-products'] as const;

export interface ReadBesideOrdersResult {
  path: string;
  ordersPerSecond: Figure;
  perSecond: Figure;
  barePerSecond: Figure;
  /** The bare server has no orders. */
  ratio: Figure;
  percentile99Ms: Figure;
}

/**
 * 500 orders per second of a thousand parts change the data.
 * @returns the reason, as a sentence, without an installed PostgreSQL
 */
export async function measureReadsBesideOrders(): Promise<ReadBesideOrdersResult[] | string> {
  const databases = await startOrderDatabases(customers);
  if (!databases) return 'No PostgreSQL of version 15 or newer is installed here.';
  const folder = makeDataFolder();
  const [reading, ordering] = [startLoadGenerator(), startLoadGenerator()];
  const shop = await startShop({
    DATA_DIR: folder.path,
    DATABASE_URL: buildUrl(databases.shop),
    SEED: 'none',
  });
  try {
    await shop.firstSuccess('/readyz');
    const orders = planOrders(shop.port, databases);
    await ordering.run({ ...orders, measuredMs: 1000 });
    const results: ReadBesideOrdersResult[] = [];
    for (const path of paths) {
      const answer = await fetchAnswer(shop.port, { path });
      const bare = await startBareServer(answer);
      try {
        assertSame(answer, await fetchAnswer(bare.port, { path }));
        const pairs: Pair[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const plan = {
            connections: readers,
            warmUpMs: 200,
            measuredMs,
            asking: { kind: 'read', path },
          } as const;
          const bareRun = await reading.run({ ...plan, port: bare.port });
          const [shopRun, orderRun] = await Promise.all([
            reading.run({ ...plan, port: shop.port }),
            ordering.run(orders),
          ]);
          pairs.push({ bareRun, shopRun, orderRun });
        }
        results.push(summary(path, pairs));
      } finally {
        await bare.stop();
      }
    }
    return results;
  } finally {
    await Promise.all([reading.stop(), ordering.stop()]);
    await shop.stop();
    await databases.stop();
    await folder.remove();
  }
}

const planOrders = (port: number, { customers: people, productIds }: OrderDatabases): LoadPlan => ({
  port,
  connections: customers,
  pauseMs,
  warmUpMs: 200,
  measuredMs,
  asking: {
    kind: 'order',
    customers: people,
    productIds,
    readsProduct: false,
    order,
  },
});

interface Pair {
  bareRun: LoadResult;
  shopRun: LoadResult;
  orderRun: LoadResult;
}

function summary(path: string, pairs: readonly Pair[]): ReadBesideOrdersResult {
  const figure = (value: (pair: Pair) => number, decimals: number) => summarize(pairs.map(value), decimals);
  return {
    path,
    ordersPerSecond: figure(({ orderRun }) => orderRun.perSecond, 0),
    perSecond: figure(({ shopRun }) => shopRun.perSecond, 0),
    barePerSecond: figure(({ bareRun }) => bareRun.perSecond, 0),
    ratio: figure(({ shopRun, bareRun }) => shopRun.perSecond / bareRun.perSecond, 2),
    percentile99Ms: figure(({ shopRun }) => shopRun.percentile99Ms, 1),
  };
}
