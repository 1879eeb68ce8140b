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
/** A reader asks, reads a while, and asks again; all of them together are far from what the shop can do. */
const readers = { connections: 8, pauseMs: 5, from: '127.0.0.3' };

/** What is sent from one address, on so many connections. */
export interface AttackPlan {
  port: number;
  from: string;
  connections: number;
  /** Sent on each of them at once. */
  bytes: string;
  /** Whether it takes what it is answered. */
  reads: boolean;
}

/** Somebody elsewhere, quiet and under one attack. */
export interface AttackResult {
  attack: string;
  asked: string;
  /** Of the slowest hundredth under attack to that of the quiet moments before; of each round's pair. */
  ratio: Figure;
  percentile99Ms: Figure;
  quietPercentile99Ms: Figure;
  /** Under attack, each of them a 200. */
  answers: Figure;
}

interface Attack {
  name: string;
  asks: readonly { name: string; asking: Asking }[];
  /** Begins it, and returns when it stands. @returns ends it */
  begin(port: number): Promise<() => Promise<void>>;
}

const read = { name: 'GET /product', asking: { kind: 'read', path: '/product' } } as const;
/** Each reader is another person: those of one account would wait for each other. */
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

/** The slowest hundredth of a reader's answers, from another address than the attack's, beside the quiet one's. */
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

/**
 * Attackers are on other machines: what making the attack costs must not take from shop and readers here. This process
 * and all that it starts from now on keep to one core, and to what others leave of it.
 */
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

/** The first script of the home page: the largest kind of answer that there is, and outside the limits on rates. */
async function findScript(port: number): Promise<string> {
  const page = await (await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } })).text();
  const [script] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
  if (script === undefined) throw new Error('The home page has no script.');
  return script;
}

/** Connections of a process of their own, so that keeping them open takes nothing from the readers'. */
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
