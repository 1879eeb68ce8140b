import { makeDataFolder } from './data-folder.ts';
import { type Asking, startLoadGenerator } from './load.ts';
import { buildUrl, type OrderDatabases, order, startOrderDatabases } from './order-database.ts';
import { startShop } from './shop-process.ts';

const minutes = 10;
const connections = 16;

export interface NewShopMinute {
  perSecond: number;
  percentile99Ms: number;
}

/** Starts without orders. */
export interface NewShopResult {
  minutes: NewShopMinute[];
  /** Below 1 the shop slows down as it fills. */
  slowestToFirst: number;
}

/**
 * `POST /order` of a thousand products for ten minutes.
 * @returns the reason, as a sentence, without an installed PostgreSQL
 */
export async function measureNewShop(): Promise<NewShopResult | string> {
  const databases = await startOrderDatabases(connections);
  if (!databases) return 'No PostgreSQL of version 15 or newer is installed here.';
  const folder = makeDataFolder();
  try {
    const shop = await startShop({
      DATA_DIR: folder.path,
      DATABASE_URL: buildUrl(databases.shop),
      SEED: 'none',
    });
    try {
      await shop.firstSuccess('/readyz');
      const measured = await orderForMinutes(databases, shop.port);
      const perSecond = measured.map((minute) => minute.perSecond);
      const slowestToFirst = Math.min(...perSecond) / (perSecond[0] ?? Number.NaN);
      return { minutes: measured, slowestToFirst: Number(slowestToFirst.toFixed(2)) };
    } finally {
      await shop.stop();
    }
  } finally {
    await databases.stop();
    await folder.remove();
  }
}

async function orderForMinutes({ customers, productIds }: OrderDatabases, port: number) {
  const generator = startLoadGenerator();
  const asking: Asking = { kind: 'order', customers, productIds, readsProduct: false, order };
  const measured: NewShopMinute[] = [];
  try {
    while (measured.length < minutes) {
      const plan = { port, connections, warmUpMs: 0, measuredMs: 60_000, asking };
      const { perSecond, percentile99Ms } = await generator.run(plan);
      measured.push({ perSecond: Math.round(perSecond), percentile99Ms: Math.round(percentile99Ms) });
    }
  } finally {
    await generator.stop();
  }
  return measured;
}
