import { join } from 'node:path';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { checkConsistency, type Findings } from './books.ts';
import { type Calls, createCalls, newEmail } from './calls.ts';
import { type Cast, type Part, startLoad } from './customers.ts';
import { withConnection } from './database.ts';
import { type Fault, faults } from './faults.ts';
import { createJournal } from './journal.ts';
import { createRandom, type Random } from './random.ts';
import { createShop, pause, type Shop } from './shop.ts';

export interface Plan {
  /** A folder that is empty, or has a shop's data folder as `data`; the caller removes it. */
  folder: string;
  /** Decides what happens and when; timing between processes stays chance. */
  seed: number;
  /** Whether another round begins, asked before each. */
  isOver(round: number): boolean;
  /** Hears of each round when it is over. */
  report(line: string): void;
}

/** What came of it: what stands behind the payments has to be zero, or empty. */
export interface Outcome extends Findings {
  rounds: number;
  requests: number;
  /** Orders that the shop has acknowledged, and payments of them that it has recorded. */
  orders: number;
  payments: number;
  /** Calls without an answer. */
  hung: string[];
  /** Starts that did not lead to a shop that is ready. */
  restartsByHand: number;
  /** Processes that outlived what they belong to. */
  leftovers: number;
}

const customers = 12;
/** Pieces of the part that is sold out again and again, and of the others. */
const scarce = 3_000;
const plenty = 1_000_000;
/** The jobs have their turn each minute and look at a refund that was cut off a minute later; and the machine is busy. */
const SETTLING_MS = 240_000;

/**
 * A shop at work to which one bad thing happens in each round: it is loaded with orders, cancellations, payments and
 * refunds while it is killed, stopped, starved and flooded, and after each round what it has acknowledged is compared
 * with what is in its books.
 * @throws Error when the shop cannot be made ready in the first place
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

/** People, parts and stock for a shop that was just opened. @throws Error when it cannot be prepared */
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
  // Of its own, as the customers' depends on who is answered first.
  const random = createRandom(plan.seed);
  const possible = [...faults];
  const initialStock = readInitialStock(cast);
  const lookIntoBooks = (isSettled: boolean) =>
    withConnection(scene.dataDir, (client) =>
      checkConsistency(client, cast.journal, initialStock, { isSettled }),
    );
  // What is wrong once stays told, also when it has become right by the next look.
  const take = (findings: Findings) => {
    for (const kind of ['lost', 'doubled', 'oversold'] as const) {
      outcome[kind] = [...new Set([...outcome[kind], ...findings[kind]])];
    }
  };

  while (!plan.isOver(outcome.rounds)) {
    // Every fault has its turn before one comes again, in an order that is chance.
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

/** Pieces of each part before the first order. */
export const readInitialStock = ({ parts }: Pick<Cast, 'parts'>): ReadonlyMap<string, number> =>
  new Map(parts.map(({ _id }, index) => [_id, index === 0 ? scarce : plenty]));

/** Payments whose page or shop was gone are heard of by themselves. */
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

/** Whether nothing happened that must not. */
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
