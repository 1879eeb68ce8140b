import { partPath } from '@parts-forge/contract/part-rules';
import { assertSame, fetchAnswer, startBareServer } from './bare-answer.ts';
import { type Figure, summarize } from './figures.ts';
import { findProduct } from './find-product.ts';
import { type LoadGenerator, type LoadResult, startLoadGenerator } from './load.ts';
import { findProcessBelow, readProcessorTime } from './processor-time.ts';
import { besideDemoShop } from './shop-process.ts';

const rounds = 5;
const connections = 32;
const measuredMs = 1500;
/** Kept in memory before it is measured: made, compressed, and answered once. */
const readsBefore = 3;

/** What is read, by the name of its row. */
interface Read {
  name: string;
  path: string;
  /** Whether the reader has it already and is told so. */
  isKnown?: boolean;
}

const listReads = ({ _id: productId, name }: { _id: string; name: string }): Read[] => [
  { name: '/product', path: '/product' },
  { name: '/product?q=display', path: '/product?q=display' },
  { name: '/product?limit=3', path: '/product?limit=3' },
  { name: '/product/{id}', path: `/product/${productId}` },
  { name: '/review', path: '/review' },
  { name: '/config', path: '/config' },
  { name: '/product, 304', path: '/product', isKnown: true },
  { name: '/', path: '/' },
  { name: '/all-products', path: '/all-products' },
  { name: '/products/{id}/{slug}', path: partPath({ _id: productId, name }) },
];

/** One read, the shop beside the bare server. */
export interface ReadResult {
  path: string;
  connections: number;
  /** Of the body, compressed as sent. */
  bytes: number;
  perSecond: Figure;
  barePerSecond: Figure;
  /** Of each round's pair. */
  ratio: Figure;
  /** Processor time for an answer, the bare server's to the shop's, of each round's pair; null where no system tells it. */
  costRatio: Figure | null;
  percentile99Ms: Figure;
  /** Of one core, while the bare server answered. */
  generatorBusy: Figure;
}

/** Requests per second of public reads, and of a bare `node:http` server that sends the very same answer. */
export function measureReads(): Promise<ReadResult[]> {
  return besideDemoShop(async ({ port, pid }) => {
    const generator = startLoadGenerator();
    const server = { port, pid: findProcessBelow(pid, 'process/main') };
    try {
      const results: ReadResult[] = [];
      for (const read of listReads(await findProduct(port))) {
        results.push(await measureRead(generator, server, read));
      }
      return results;
    } finally {
      await generator.stop();
    }
  });
}

interface Server {
  port: number;
  pid: number | null;
}

/** A run, and the processor time that the server used for an answer; null where no system tells it. */
interface Run extends LoadResult {
  costUs: number | null;
}

async function measureRead(generator: LoadGenerator, shop: Server, { name, path, isKnown }: Read) {
  for (let read = 0; read < readsBefore; read += 1) await fetchAnswer(shop.port, { path });
  const { etag } = await fetchAnswer(shop.port, { path });
  const reading = isKnown ? { path, etag } : { path };
  const answer = await fetchAnswer(shop.port, reading);
  const bare = await startBareServer(answer);
  const run = async (server: Server, warmUpMs: number): Promise<Run> => {
    await generator.run({ ...plan, port: server.port, warmUpMs, measuredMs: 0 });
    const before = server.pid && readProcessorTime(server.pid);
    const result = await generator.run({ ...plan, port: server.port, warmUpMs: 0 });
    const after = server.pid && readProcessorTime(server.pid);
    return { ...result, costUs: before && after && (after - before) / result.answers };
  };
  const plan = { connections, measuredMs, asking: { kind: 'read', ...reading } } as const;
  try {
    assertSame(answer, await fetchAnswer(bare.port, reading));
    const shopRuns: Run[] = [];
    const bareRuns: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const warmUpMs = round === 0 ? 1000 : 200;
      bareRuns.push(await run(bare, warmUpMs));
      shopRuns.push(await run(shop, warmUpMs));
    }
    return summary(name, answer.body.length, shopRuns, bareRuns);
  } finally {
    await bare.stop();
  }
}

function summary(
  path: string,
  bytes: number,
  shopRuns: readonly Run[],
  bareRuns: readonly Run[],
): ReadResult {
  const figure = (runs: readonly LoadResult[], of: keyof LoadResult, decimals: number) =>
    summarize(
      runs.map((run) => run[of]),
      decimals,
    );
  const pairs = shopRuns.flatMap((shop, round) => {
    const bare = bareRuns[round];
    return bare ? [{ shop, bare }] : [];
  });
  const costs = pairs.flatMap(({ shop, bare }) =>
    shop.costUs && bare.costUs ? [bare.costUs / shop.costUs] : [],
  );
  return {
    path,
    connections,
    bytes,
    perSecond: figure(shopRuns, 'perSecond', 0),
    barePerSecond: figure(bareRuns, 'perSecond', 0),
    ratio: summarize(
      pairs.map(({ shop, bare }) => shop.perSecond / bare.perSecond),
      2,
    ),
    costRatio: costs.length > 0 ? summarize(costs, 2) : null,
    percentile99Ms: figure(shopRuns, 'percentile99Ms', 1),
    generatorBusy: figure(bareRuns, 'generatorBusy', 2),
  };
}
