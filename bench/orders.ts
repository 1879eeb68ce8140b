import { makeDataFolder } from './data-folder.ts';
import { type Figure, summarize } from './figures.ts';
import { type Asking, type LoadGenerator, startLoadGenerator } from './load.ts';
import { buildUrl, type OrderDatabases, order, productCount, startOrderDatabases } from './order-database.ts';
import { findPgbench, runPgbench } from './pgbench.ts';
import { startShop } from './shop-process.ts';

const rounds = 5;
const measuredSeconds = 3;
/** With and without reads in turn. */
const slices = 3;
const sliceSeconds = 1;
/** Equal to the shop's pool. */
const connections = 16;

const kinds = [
  { name: '1000 products', products: productCount },
  { name: 'one hot product', products: 1 },
] as const;
type Kind = (typeof kinds)[number];

export interface OrderResult {
  kind: Kind['name'];
  postgres: number;
  connections: number;
  perSecond: Figure;
  pgbenchPerSecond: Figure;
  /** For each round's pair. */
  ratio: Figure;
  percentile99Ms: Figure;
}

/** A read of the product before each order, as on the page. Only orders count. */
export interface OrdersAfterReadsResult {
  perSecond: Figure;
  /** Without reads. */
  alonePerSecond: Figure;
  /** For each round's pair. */
  ratio: Figure;
}

export interface OrdersResult {
  kinds: OrderResult[];
  afterReads: OrdersAfterReadsResult;
}

/**
 * `POST /order`, and pgbench with the shop's own statement.
 * @returns the reason, as a sentence, without PostgreSQL or pgbench
 */
export async function measureOrders(): Promise<OrdersResult | string> {
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
      const measureShop = (plan: ShopPlan) => ordersThroughShop(databases, generator, shop.port, plan);
      const byKind = await measureRounds(databases, {
        throughShop: ({ products }, warmUpMs) =>
          measureShop({ products, readsProduct: false, warmUpMs, measuredSeconds }),
        byPgbench: (kind, run) =>
          runPgbench({
            program: pgbench,
            database: databases.yardstick,
            connections,
            measuredSeconds,
            round: run,
            order,
            productCount: kind.products,
            folder: folder.path,
          }),
      });
      return { kinds: byKind, afterReads: await measureAfterReads(databases, measureShop) };
    } finally {
      await shop.stop();
    }
  } finally {
    await generator.stop();
    await databases.stop();
    await folder.remove();
  }
}

interface ShopPlan {
  products: number;
  readsProduct: boolean;
  warmUpMs: number;
  measuredSeconds: number;
}

interface ShopRun {
  perSecond: number;
  percentile99Ms: number;
}

interface PgbenchRun {
  orders: number;
  perSecond: number;
}

interface Sides {
  throughShop(kind: Kind, warmUpMs: number): Promise<ShopRun>;
  byPgbench(kind: Kind, run: number): Promise<PgbenchRun>;
}

interface Pair {
  kind: Kind;
  shop: ShopRun;
  pgbench: PgbenchRun;
}

async function measureRounds(databases: OrderDatabases, { throughShop, byPgbench }: Sides) {
  const writtenBefore = await databases.countOrders(databases.yardstick);
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of kinds) {
      await databases.checkpoint();
      const pgbench = await byPgbench(kind, pairs.length);
      await databases.checkpoint();
      pairs.push({ kind, pgbench, shop: await throughShop(kind, round === 0 ? 1000 : 200) });
    }
  }
  const expected = pairs.reduce((sum, { pgbench }) => sum + pgbench.orders, 0);
  const written = (await databases.countOrders(databases.yardstick)) - writtenBefore;
  if (written !== expected)
    throw new Error(`pgbench counted ${expected} orders, and ${written} are written.`);
  return kinds.map((kind) =>
    summarizeKind(
      kind,
      databases.majorVersion,
      pairs.filter((pair) => pair.kind === kind),
    ),
  );
}

const summarizeKind = (kind: Kind, postgres: number, pairs: readonly Pair[]): OrderResult => ({
  kind: kind.name,
  postgres,
  connections,
  perSecond: summarize(pairs, ({ shop }) => shop.perSecond, 0),
  pgbenchPerSecond: summarize(pairs, ({ pgbench }) => pgbench.perSecond, 0),
  ratio: summarize(pairs, ({ shop, pgbench }) => shop.perSecond / pgbench.perSecond, 2),
  percentile99Ms: summarize(pairs, ({ shop }) => shop.percentile99Ms, 1),
});

async function measureAfterReads(
  databases: OrderDatabases,
  measureShop: (plan: ShopPlan) => Promise<ShopRun>,
): Promise<OrdersAfterReadsResult> {
  const run = async (readsProduct: boolean) => {
    const plan = { products: productCount, readsProduct, warmUpMs: 200, measuredSeconds: sliceSeconds };
    return (await measureShop(plan)).perSecond;
  };
  const pairs: { afterReads: number; alone: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await databases.checkpoint();
    const pair = { afterReads: 0, alone: 0 };
    for (let slice = 0; slice < slices; slice += 1) {
      pair.afterReads += (await run(true)) / slices;
      pair.alone += (await run(false)) / slices;
    }
    pairs.push(pair);
  }
  return {
    perSecond: summarize(pairs, (pair) => pair.afterReads, 0),
    alonePerSecond: summarize(pairs, (pair) => pair.alone, 0),
    ratio: summarize(pairs, (pair) => pair.afterReads / pair.alone, 2),
  };
}

async function ordersThroughShop(
  databases: OrderDatabases,
  generator: LoadGenerator,
  port: number,
  { products, readsProduct, warmUpMs, measuredSeconds }: ShopPlan,
): Promise<ShopRun> {
  const { customers } = databases;
  const asking: Asking = {
    kind: 'order',
    customers,
    productIds: databases.productIds.slice(0, products),
    readsProduct,
    order,
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
  // Every other response is a read's.
  const confirmed = readsProduct ? Math.floor((result.answers - connections) / 2) : result.answers;
  if (written < confirmed) {
    throw new Error(`The shop confirmed ${confirmed} orders, and ${written} are written.`);
  }
  return { ...result, perSecond: readsProduct ? result.perSecond / 2 : result.perSecond };
}
