import { availableParallelism } from 'node:os';
import { makeDataFolder } from './data-folder.ts';
import { type Figure, summarize } from './figures.ts';
import { limitProcessor } from './limit-processor.ts';
import { type Asking, type LoadGenerator, startLoadGenerator } from './load.ts';
import { type Address, buildUrl, type OrderDatabases, order, startOrderDatabases } from './order-database.ts';
import { findProcessesBelow } from './processor-time.ts';
import { type ShopProcess, startShop } from './shop-process.ts';

const rounds = 5;
/** Each round alternates between the two shops. */
const slices = 4;
const sliceMs = 500;
/** One process cannot saturate two workers. */
const generators = 2;
const connections = 16;
/** Each worker's share of all cores, so that load and database get the same with one and two. */
const shareOfMachine = 0.1;

/** Each shop has its own database on the same server. */
export interface CoresResult {
  asked: string;
  /** In cores; null: no limit. */
  coreEach: number | null;
  oneWorkerPerSecond: Figure;
  twoWorkersPerSecond: Figure;
  /** For each round's pair. */
  ratio: Figure;
}

interface Kind {
  asked: string;
  ask(generator: number): Asking;
}

/**
 * Two workers relative to one, without limits and with limited cores.
 * @returns the reason, as a sentence, without an installed PostgreSQL
 */
export async function measureCores(): Promise<CoresResult[] | string> {
  const databases = await startOrderDatabases(generators * connections);
  if (!databases) return 'No PostgreSQL of version 15 or newer is installed here.';
  const { customers, productIds } = databases;
  const folders = [makeDataFolder(), makeDataFolder()] as const;
  const load = Array.from({ length: generators }, startLoadGenerator);
  const open = (place: Address, dataDir: string, workers: number) =>
    startShop({ DATA_DIR: dataDir, DATABASE_URL: buildUrl(place), SEED: 'none', WORKERS: String(workers) });
  const one = await open(databases.shop, folders[0].path, 1);
  const two = await open(databases.yardstick, folders[1].path, 2);
  const kinds: Kind[] = [
    { asked: 'GET /product, 24 parts', ask: () => ({ kind: 'read', path: '/product' }) },
    {
      asked: `POST /order, ${productIds.length} products`,
      ask: (generator) => ({
        kind: 'order',
        customers: customers.slice(generator * connections, (generator + 1) * connections),
        productIds,
        order,
        readsProduct: false,
      }),
    },
  ];
  let release: (() => Promise<void>) | null = null;
  try {
    for (const shop of [one, two]) await shop.firstSuccess('/readyz');
    const results: CoresResult[] = [];
    const sides = { one, two, load };
    for (const kind of kinds) results.push(await measureKind(kind, null, sides, databases));
    const coreEach = Number((availableParallelism() * shareOfMachine).toFixed(1));
    release = limitProcessor([one, two].flatMap(findWorkers), coreEach);
    if (release) for (const kind of kinds) results.push(await measureKind(kind, coreEach, sides, databases));
    return results;
  } finally {
    await Promise.all(load.map((generator) => generator.stop()));
    await one.stop();
    await two.stop();
    await release?.();
    await databases.stop();
    for (const folder of folders) await folder.remove();
  }
}

/** A single one is the shop itself. */
function findWorkers({ pid }: ShopProcess): number[] {
  const workers = findProcessesBelow(pid, 'process/worker.ts');
  return workers.length > 0 ? workers : findProcessesBelow(pid, 'process/main.ts');
}

interface Sides {
  one: ShopProcess;
  two: ShopProcess;
  load: readonly LoadGenerator[];
}

async function measureKind(
  { asked, ask }: Kind,
  coreEach: number | null,
  { one, two, load }: Sides,
  { checkpoint }: OrderDatabases,
): Promise<CoresResult> {
  /** @returns answers per second */
  const run = async ({ port }: ShopProcess, measuredMs: number) => {
    const plan = { port, connections, warmUpMs: 100, measuredMs };
    const runs = load.map((generator, index) => generator.run({ ...plan, asking: ask(index) }));
    return (await Promise.all(runs)).reduce((sum, { perSecond }) => sum + perSecond, 0);
  };
  for (const shop of [one, two]) await run(shop, 2000);
  const pairs: { one: number; two: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await checkpoint();
    const pair = { one: 0, two: 0 };
    for (let slice = 0; slice < slices; slice += 1) {
      pair.one += (await run(one, sliceMs)) / slices;
      pair.two += (await run(two, sliceMs)) / slices;
    }
    pairs.push(pair);
  }
  const figure = (value: (pair: { one: number; two: number }) => number, decimals: number) =>
    summarize(pairs.map(value), decimals);
  return {
    asked,
    coreEach,
    oneWorkerPerSecond: figure((pair) => pair.one, 0),
    twoWorkersPerSecond: figure((pair) => pair.two, 0),
    ratio: figure((pair) => pair.two / pair.one, 2),
  };
}
