import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { type Calls, createCalls, newEmail } from './calls.ts';
import { checkConsistency, type Findings } from './consistency.ts';
import { type Cast, type Part, startLoad } from './customers.ts';
import { withConnection } from './database.ts';
import { type Fault, faults } from './faults.ts';
import { createJournal } from './journal.ts';
import { createRandom, type Random } from './random.ts';
import { createShop, type Shop } from './shop.ts';

export interface Plan {
  /** Empty, or with a shop's data folder as `data`; the caller removes it. */
  folder: string;
  /** Timing between processes stays random. */
  seed: number;
  isOver(round: number): boolean;
  report(line: string): void;
}

/** Lists of violations must be empty. */
export interface Outcome extends Findings {
  rounds: number;
  requests: number;
  /** Acknowledged orders, recorded payments. */
  orders: number;
  payments: number;
  hung: string[];
  /** Failed starts. */
  restartsByHand: number;
  /** Processes that outlived their owner. */
  leftovers: number;
}

const customers = 12;
/** Initial pieces of the scarce part and of the others. */
const scarce = 3_000;
const plenty = 1_000_000;
/** Jobs retry an interrupted refund after two minutes; the machine is busy. */
const SETTLING_MS = 240_000;

/**
 * One fault a round under load of orders, cancellations, payments and refunds; then compares acknowledged
 * changes with the shop's records.
 * @throws Error when the shop cannot be prepared
 */
export async function torture(plan: Plan): Promise<Outcome> {
  const dataDir = join(plan.folder, 'data');
  const administrator = { email: newEmail(), password: 'tortured, never used' };
  const shop = createShop({
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    SEED: 'catalogue',
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
  });
  try {
    await shop.becomeReady();
    const calls = createCalls(shop.url);
    const cast = await prepare(calls, createRandom(plan.seed + 1), administrator);
    return await runRounds(plan, { shop, dataDir, cast });
  } finally {
    await shop.stop();
  }
}

/** @throws Error when the shop cannot be prepared */
export async function prepare(
  calls: Calls,
  random: Random,
  administrator: { email: string; password: string },
): Promise<Cast> {
  const admin = await calls.signIn({ ...administrator, isNew: false });
  const people = [];
  for (let count = 0; count < customers; count += 1) {
    people.push(await calls.signIn({ email: newEmail(), password: 'secret-1', isNew: true }));
  }
  const { body } = await calls.call('GET', '/product');
  const parts: Part[] = body.slice(0, 6);
  for (const [index, { _id }] of parts.entries()) {
    const quantity = index === 0 ? scarce : plenty;
    const restocked = await calls.call('PUT', `/product/${_id}`, { person: admin, body: { quantity } });
    if (restocked.status !== 200) throw new Error(`A part cannot be restocked: ${restocked.status}`);
  }
  return { calls, journal: createJournal(), random, customers: people, administrator: admin, parts };
}

interface Scene {
  shop: Shop;
  dataDir: string;
  cast: Cast;
}

async function runRounds(plan: Plan, scene: Scene): Promise<Outcome> {
  const { shop, cast } = scene;
  const outcome: Outcome = {
    rounds: 0,
    requests: 0,
    orders: 0,
    payments: 0,
    lost: [],
    doubled: [],
    oversold: [],
    hung: cast.calls.traffic.hung,
    restartsByHand: 0,
    leftovers: 0,
  };
  // The customers' generator depends on timing.
  const random = createRandom(plan.seed);
  const possible = [...faults];
  const initialStock = readInitialStock(cast);
  const lookIntoBooks = (isSettled: boolean) =>
    withConnection(scene.dataDir, (client) =>
      checkConsistency(client, cast.journal, initialStock, { isSettled }),
    );
  // A violation stays, even if the next check is clean.
  const take = (findings: Findings) => {
    for (const kind of ['lost', 'doubled', 'oversold'] as const) {
      outcome[kind] = [...new Set([...outcome[kind], ...findings[kind]])];
    }
  };

  while (!plan.isOver(outcome.rounds)) {
    // In random order, without early repetition.
    const turn = outcome.rounds % possible.length;
    if (turn === 0) shuffle(possible, random);
    const fault = possible[turn] as Fault;
    const load = startLoad(cast);
    await pause(random.integer(300, 1_500));
    const ending = await fault.happen({ ...scene, random });
    outcome.leftovers += await shop.countLeftovers(ending);
    try {
      await shop.becomeReady();
    } catch (error) {
      outcome.restartsByHand += 1;
      plan.report(String(error));
      await load.stop();
      break;
    }
    await pause(random.integer(200, 800));
    await load.stop();
    outcome.rounds += 1;
    take(await lookIntoBooks(false));
    outcome.requests = cast.calls.traffic.requests;
    outcome.orders = cast.journal.placed.size;
    outcome.payments = cast.journal.recorded.size;
    plan.report(`${outcome.rounds}. ${fault.name}: ${describe(outcome)}`);
  }
  take(await settle(lookIntoBooks));
  return outcome;
}

export const readInitialStock = ({ parts }: Pick<Cast, 'parts'>): ReadonlyMap<string, number> =>
  new Map(parts.map(({ _id }, index) => [_id, index === 0 ? scarce : plenty]));

/** Waits for interrupted payments. */
export async function settle(lookIntoBooks: (isSettled: boolean) => Promise<Findings>): Promise<Findings> {
  const until = performance.now() + SETTLING_MS;
  while (true) {
    const findings = await lookIntoBooks(true);
    if (countFindings(findings) === 0 || performance.now() > until) return findings;
    await pause(1_000);
  }
}

const countFindings = ({ lost, doubled, oversold }: Findings) =>
  lost.length + doubled.length + oversold.length;

function shuffle<T>(list: T[], random: Random): void {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = random.integer(0, last);
    [list[last], list[other]] = [list[other] as T, list[last] as T];
  }
}

export const isSound = (outcome: Outcome): boolean =>
  countFindings(outcome) + outcome.hung.length + outcome.restartsByHand + outcome.leftovers === 0;

export function describe(outcome: Outcome): string {
  const { rounds, requests, orders, payments, lost, doubled, oversold, hung, restartsByHand, leftovers } =
    outcome;
  return [
    `${rounds} rounds`,
    `${requests} requests`,
    `${orders} orders`,
    `${payments} payments`,
    `${lost.length} lost`,
    `${doubled.length} doubled`,
    `${oversold.length} oversold`,
    `${hung.length} hung`,
    `${restartsByHand} restarts by hand`,
    `${leftovers} processes left behind`,
  ].join(', ');
}
