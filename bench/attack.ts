import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startUploads } from './attack-uploads.ts';
import { closing } from './closing.ts';
import { type Figure, summarize } from './figures.ts';
import { type Asking, type LoadGenerator, type LoadResult, startLoadGenerator } from './load.ts';
import { register } from './people.ts';
import { besideDemoShop } from './shop-process.ts';

const rounds = 5;
const measuredMs = 4000;
/** Far below the shop's capacity. */
const readers = { connections: 8, pauseMs: 5, from: '127.0.0.3' };

export interface AttackPlan {
  port: number;
  from: string;
  connections: number;
  /** Once on each connection. */
  bytes: string;
  reads: boolean;
}

/** For another client, without and under one attack. */
export interface AttackResult {
  attack: string;
  asked: string;
  /** 99th percentile under attack to that before, for each round's pair. */
  ratio: Figure;
  percentile99Ms: Figure;
  quietPercentile99Ms: Figure;
  /** All 200. */
  answers: Figure;
}

interface Attack {
  name: string;
  asks: readonly { name: string; asking: Asking }[];
  /** Resolves once the attack runs. @returns ends it */
  begin(port: number): Promise<() => Promise<void>>;
}

const read = { name: 'GET /product', asking: { kind: 'read', path: '/product' } } as const;
/** Requests of one account would queue. */
const people = Array.from({ length: readers.connections }, (_, index) => ({
  email: `reader-${index}@bench.example`,
  password: `measured, never used ${index}`,
}));
const signIn = { name: 'sign-in', asking: { kind: 'sign-in', people } } as const;
const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`;

const attacks: readonly Attack[] = [
  {
    name: '1,005 half-sent bodies',
    asks: [read],
    begin: flood({
      connections: 1005,
      bytes: `${head('POST /identity/sign-in/email', 'Content-Type: application/json\r\nContent-Length: 100\r\n')}{`,
      reads: true,
    }),
  },
  {
    name: '1,000 slow readers',
    asks: [read],
    begin: async (port) =>
      flood({ connections: 1000, bytes: head(`GET ${await findScript(port)}`), reads: false })(port),
  },
  {
    name: '2,000 idle connections',
    asks: [read],
    begin: flood({ connections: 2000, bytes: '', reads: true }),
  },
  { name: '24 large uploads', asks: [read, signIn], begin: startUploads },
];

/** Readers use another address than the attack. */
export function measureAttack(): Promise<AttackResult[]> {
  return besideDemoShop(async ({ port }) => {
    for (const person of people) await register(`http://127.0.0.1:${port}`, person);
    const generator = startLoadGenerator();
    standAside();
    try {
      const results: AttackResult[] = [];
      for (const attack of attacks) {
        for (const ask of attack.asks) results.push(await measureOne(generator, port, attack, ask));
      }
      return results;
    } finally {
      await generator.stop();
    }
  });
}

/** One core at low priority: real attackers use other machines. */
function standAside(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  if (process.platform !== 'linux') return;
  execFileSync('taskset', ['-a', '-c', '-p', '0', String(process.pid)], { stdio: 'ignore' });
}

async function measureOne(
  generator: LoadGenerator,
  port: number,
  attack: Attack,
  { name: asked, asking }: Attack['asks'][number],
): Promise<AttackResult> {
  const plan = { ...readers, port, asking, warmUpMs: 500, measuredMs };
  const quiet: LoadResult[] = [];
  const attacked: LoadResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    quiet.push(await generator.run(plan));
    const end = await attack.begin(port);
    attacked.push(await generator.run(plan).finally(end));
  }
  const ratios = attacked.map(
    ({ percentile99Ms }, round) => percentile99Ms / (quiet[round]?.percentile99Ms ?? Number.NaN),
  );
  const figure = (runs: readonly LoadResult[], of: keyof LoadResult, decimals: number) =>
    summarize(
      runs.map((run) => run[of]),
      decimals,
    );
  return {
    attack: attack.name,
    asked,
    ratio: summarize(ratios, 2),
    percentile99Ms: figure(attacked, 'percentile99Ms', 2),
    quietPercentile99Ms: figure(quiet, 'percentile99Ms', 2),
    answers: figure(attacked, 'answers', 0),
  };
}

/** The largest kind of response, without a rate limit. */
async function findScript(port: number): Promise<string> {
  const page = await (await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } })).text();
  const [script] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
  if (script === undefined) throw new Error('The home page has no script.');
  return script;
}

/** A separate process takes nothing from the readers'. */
function flood(plan: Omit<AttackPlan, 'port' | 'from'>): Attack['begin'] {
  return async (port) => {
    const child = fork(fileURLToPath(new URL('./attack-process.ts', import.meta.url)), { stdio: 'inherit' });
    const ended = once(child, 'exit');
    const stop = closing(async () => {
      if (child.connected) child.disconnect();
      await ended;
    });
    child.send({ ...plan, port, from: '127.0.0.2' } satisfies AttackPlan);
    await once(child, 'message');
    return stop;
  };
}
