import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { BareAnswer } from './bare-server.ts';
import { closing } from './closing.ts';
import { type Figure, summarize } from './figures.ts';
import { type LoadGenerator, type LoadResult, startLoadGenerator } from './load.ts';
import { besideDemoShop } from './shop-process.ts';

const paths = ['/product', '/'] as const;
const rounds = 5;
const connections = 32;
const measuredMs = 1500;

/** One path, the shop beside the bare server. */
export interface ReadResult {
  path: string;
  connections: number;
  /** Of the body, compressed as sent. */
  bytes: number;
  perSecond: Figure;
  barePerSecond: Figure;
  /** Of each round's pair. */
  ratio: Figure;
  percentile99Ms: Figure;
  /** Of one core, while the bare server answered. */
  generatorBusy: Figure;
}

/** Requests per second of public reads, and of a bare `node:http` server that sends the very same answer. */
export function measureReads(): Promise<ReadResult[]> {
  return besideDemoShop(async (port) => {
    const generator = startLoadGenerator();
    try {
      const results: ReadResult[] = [];
      for (const path of paths) results.push(await measurePath(generator, port, path));
      return results;
    } finally {
      await generator.stop();
    }
  });
}

async function measurePath(generator: LoadGenerator, port: number, path: string): Promise<ReadResult> {
  const answer = await fetchAnswer(port, path);
  const bare = await startBareServer(answer);
  try {
    assertSame(answer, await fetchAnswer(bare.port, path));
    const shopRuns: LoadResult[] = [];
    const bareRuns: LoadResult[] = [];
    const plan = { connections, measuredMs, asking: { kind: 'read', path } } as const;
    for (let round = 0; round < rounds; round += 1) {
      const warmUpMs = round === 0 ? 1000 : 200;
      bareRuns.push(await generator.run({ ...plan, warmUpMs, port: bare.port }));
      shopRuns.push(await generator.run({ ...plan, warmUpMs, port }));
    }
    return summary(path, answer.body.length, shopRuns, bareRuns);
  } finally {
    await bare.stop();
  }
}

function summary(
  path: string,
  bytes: number,
  shopRuns: readonly LoadResult[],
  bareRuns: readonly LoadResult[],
): ReadResult {
  const ratios = shopRuns.map(
    ({ perSecond }, round) => perSecond / (bareRuns[round]?.perSecond ?? Number.NaN),
  );
  const figure = (runs: readonly LoadResult[], of: keyof LoadResult, decimals: number) =>
    summarize(
      runs.map((run) => run[of]),
      decimals,
    );
  return {
    path,
    connections,
    bytes,
    perSecond: figure(shopRuns, 'perSecond', 0),
    barePerSecond: figure(bareRuns, 'perSecond', 0),
    ratio: summarize(ratios, 2),
    percentile99Ms: figure(shopRuns, 'percentile99Ms', 1),
    generatorBusy: figure(bareRuns, 'generatorBusy', 2),
  };
}

interface Answer {
  headers: string[];
  body: Buffer;
}

/** The answer as it is on the wire: compressed, headers in their order. @throws Error when it is not a 200 in brotli */
function fetchAnswer(port: number, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Asked for as the load generator asks: keep-alive, so that the answer says the same about it.
    const headers = { 'accept-encoding': 'br', accept: '*/*', connection: 'keep-alive' };
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('end', () => {
        if (response.statusCode !== 200 || response.headers['content-encoding'] !== 'br') {
          return reject(new Error(`${path} was not answered with 200 in brotli.`));
        }
        resolve({ headers: response.rawHeaders, body: Buffer.concat(parts) });
      });
      response.once('error', reject);
    })
      .once('error', reject)
      .end();
  });
}

async function startBareServer({ headers, body }: Answer) {
  const child = fork(fileURLToPath(new URL('./bare-server.ts', import.meta.url)), { stdio: 'inherit' });
  const ended = once(child, 'exit');
  const stop = closing(async () => {
    if (child.connected) child.disconnect();
    await ended;
  });
  child.send({ headers: withoutNodesOwn(headers), body: body.toString('base64') } satisfies BareAnswer);
  const [port] = (await once(child, 'message')) as [number];
  return { port, stop };
}

/** What Node's server adds to every answer by itself. */
const nodesOwn = /^(date|connection|keep-alive)$/i;

const withoutNodesOwn = (headers: readonly string[]) =>
  headers.filter((_, index) => !nodesOwn.test(headers[index - (index % 2)] ?? ''));

/** A yardstick that sends something else measures something else. Only the time of day may differ. */
function assertSame(shop: Answer, bare: Answer): void {
  const written = ({ headers }: Answer) =>
    headers.filter((_, index) => !/^date$/i.test(headers[index - (index % 2)] ?? '')).join('\n');
  if (written(shop) !== written(bare) || !shop.body.equals(bare.body)) {
    throw new Error(`The bare server's answer is not the shop's:\n${written(shop)}\n\n${written(bare)}`);
  }
}
