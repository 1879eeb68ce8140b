import { partPath } from '@parts-forge/contract/products/part-rules';
import { assertSame, fetchAnswer, startBareServer } from './bare-answer.ts';
import { type Figure, summarize } from './figures.ts';
import { findProduct } from './find-product.ts';
import { type LoadGenerator, type LoadResult, startLoadGenerator } from './load.ts';
import { findProcessBelow, readProcessorTime } from './processor-time.ts';
import { besideDemoShop } from './shop-process.ts';

const rounds = 5;
const connections = 32;
/** In turn, so that short slowdowns affect both servers. */
const slices = 8;
const sliceMs = 250;
/** Fill the cache: rendered, compressed, served. */
const readsBefore = 3;

/** `name` is the report's row. */
interface Read {
  name: string;
  path: string;
  /** Sends the entity tag. */
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

export interface ReadResult {
  path: string;
  connections: number;
  /** Compressed body. */
  bytes: number;
  perSecond: Figure;
  barePerSecond: Figure;
  /** For each round's pair. */
  ratio: Figure;
  /** Processor time of the bare server to the shop's; null where unknown. */
  costRatio: Figure | null;
  percentile99Ms: Figure;
  /** While the bare server answered. */
  generatorBusy: Figure;
}

/** The bare server sends the same response. */
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

/** `usedUs`: processor time for each answer; null where unknown. */
interface Slice extends LoadResult {
  usedUs: number | null;
}

async function measureRead(generator: LoadGenerator, shop: Server, { name, path, isKnown }: Read) {
  for (let read = 0; read < readsBefore; read += 1) await fetchAnswer(shop.port, { path });
  const { etag } = await fetchAnswer(shop.port, { path });
  const reading = isKnown ? { path, etag } : { path };
  const answer = await fetchAnswer(shop.port, reading);
  const bare = await startBareServer(answer);
  const plan = { connections, warmUpMs: 0, asking: { kind: 'read', ...reading } } as const;
  const measureSlice = async ({ port, pid }: Server): Promise<Slice> => {
    const before = pid && readProcessorTime(pid);
    const result = await generator.run({ ...plan, port, measuredMs: sliceMs });
    const after = pid && readProcessorTime(pid);
    return { ...result, usedUs: before && after && after - before };
  };
  try {
    assertSame(answer, await fetchAnswer(bare.port, reading));
    for (const { port } of [bare, shop])
      await generator.run({ ...plan, port, warmUpMs: 1500, measuredMs: 0 });
    const shopRuns: Run[] = [];
    const bareRuns: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const [ofShop, ofBare]: [Slice[], Slice[]] = [[], []];
      for (let slice = 0; slice < slices; slice += 1) {
        ofBare.push(await measureSlice(bare));
        ofShop.push(await measureSlice(shop));
      }
      shopRuns.push(join(ofShop));
      bareRuns.push(join(ofBare));
    }
    return summary(name, answer.body.length, shopRuns, bareRuns);
  } finally {
    await bare.stop();
  }
}

interface Run extends Pick<LoadResult, 'perSecond' | 'percentile99Ms' | 'generatorBusy'> {
  costUs: number | null;
}

function join(parts: readonly Slice[]): Run {
  const sum = (value: (slice: Slice) => number) => parts.reduce((total, slice) => total + value(slice), 0);
  const used = parts.every(({ usedUs }) => usedUs !== null) ? sum(({ usedUs }) => usedUs ?? 0) : null;
  return {
    perSecond: sum(({ perSecond }) => perSecond) / parts.length,
    percentile99Ms: sum(({ percentile99Ms }) => percentile99Ms) / parts.length,
    generatorBusy: sum(({ generatorBusy }) => generatorBusy) / parts.length,
    costUs: used && used / sum(({ answers }) => answers),
  };
}

function summary(
  path: string,
  bytes: number,
  shopRuns: readonly Run[],
  bareRuns: readonly Run[],
): ReadResult {
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
    perSecond: summarize(shopRuns, (run) => run.perSecond, 0),
    barePerSecond: summarize(bareRuns, (run) => run.perSecond, 0),
    ratio: summarize(pairs, ({ shop, bare }) => shop.perSecond / bare.perSecond, 2),
    costRatio: costs.length > 0 ? summarize(costs, (cost) => cost, 2) : null,
    percentile99Ms: summarize(shopRuns, (run) => run.percentile99Ms, 1),
    generatorBusy: summarize(bareRuns, (run) => run.generatorBusy, 2),
  };
}
