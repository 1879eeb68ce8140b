import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { signalAll } from '@parts-forge/embedded-postgres/linux-processes';
import { waitFor } from '../../api/test/programs.ts';
import { createCalls, newEmail } from '../torture/calls.ts';
import { checkConsistency, type Findings } from '../torture/consistency.ts';
import { type Cast, startLoad } from '../torture/customers.ts';
import { createRandom } from '../torture/random.ts';
import { prepare, readInitialStock, settle } from '../torture/torture.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';
import { raceForTheLastPieces, raceOfOneKey } from './races.ts';
import { type ShopOnMachine, startShopOnMachine } from './shops.ts';

/** Above any statement timeout of the shop. */
const STALL_MS = 8_000;

export interface ClusterPlan {
  /** Empty and reachable by every user; the caller removes it. */
  folder: string;
  haproxy: string;
  postgres: string;
  /** Before and after each event. */
  secondsOfLoad: number;
  /** Older version for the rolling restart; null: none. */
  upgradeFrom: string | null;
  seed: number;
  report(line: string): void;
}

/** Lists of violations must be empty. */
export interface ClusterOutcome extends Findings {
  requests: number;
  orders: number;
  /** Violations by races, restarts and failover. */
  broken: string[];
  hung: string[];
  /** Not recovered by themselves. */
  restartsByHand: number;
}

interface Scene {
  plan: ClusterPlan;
  pair: PostgresPair;
  balancer: Balancer;
  shops: readonly ShopOnMachine[];
  cast: Cast;
  broken: string[];
}

/**
 * Two shops of two processes behind HAProxy, on a primary with a synchronous standby. Under load: races,
 * kills, a rolling restart, and the loss of the primary.
 * @throws Error when they cannot be started
 */
export async function runCluster(plan: ClusterPlan): Promise<ClusterOutcome> {
  const { folder, report } = plan;
  const pair = await startPostgresPair(join(folder, 'postgres'), plan.postgres);
  const ports = { shops: await freePort(), database: await freePort() };
  const shopPorts = [await freePort(), await freePort()];
  const balancer = await startBalancer({
    folder,
    haproxy: plan.haproxy,
    ports,
    shops: shopPorts,
    databases: pair.ports,
  });
  await balancer.waitUntilUp('database', 1);
  const administrator = { email: newEmail(), password: 'clustered, never used' };
  // Concurrently, on an empty database.
  const shops = shopPorts.map((port, index) =>
    startShopOnMachine(
      `shop${index + 1}`,
      { folder, upgradeFrom: plan.upgradeFrom },
      {
        PORT: String(port),
        ORIGIN: `http://127.0.0.1:${ports.shops}`,
        DATA_DIR: join(folder, 'data'),
        DATABASE_URL: `postgres://shop:${pair.password}@127.0.0.1:${ports.database}/shop`,
        WORKERS: '2',
        DRAIN_MS: '2000',
        TRUSTED_PROXIES: '1',
        PAYMENTS: 'sandbox',
        RATE_LIMITS: 'off',
        // Earlier versions know only `demo`, without orders.
        SEED: plan.upgradeFrom === null ? 'catalogue' : 'demo',
        ADMIN_EMAIL: administrator.email,
        ADMIN_PASSWORD: administrator.password,
      },
    ),
  );
  try {
    await balancer.waitUntilUp('shops', 2);
    report('Both shops were started on an empty database at the same moment, and are ready.');
    const calls = createCalls(`http://127.0.0.1:${ports.shops}`);
    const cast = await prepare(calls, createRandom(plan.seed), administrator);
    const scene = { plan, pair, balancer, shops, cast, broken: [] };
    return await playThrough(scene);
  } finally {
    await Promise.all(shops.map((shop) => shop.stop()));
    await balancer.program.end();
    await pair.stop();
  }
}

/** Events for a shop of two processes follow the upgrade. */
const events = [loseShop, restartInTurn, loseWorker, stallStandby, losePrimary];

async function playThrough(scene: Scene): Promise<ClusterOutcome> {
  const { cast, pair, plan, shops, broken } = scene;
  const initialStock = readInitialStock(cast);
  await race(scene);
  for (const happen of events) await underLoad(scene, happen);
  const findings = await settle((isSettled) =>
    pair.withPrimary((client) => checkConsistency(client, cast.journal, initialStock, { isSettled })),
  );
  await race(scene);
  const ready = await Promise.all(shops.map((shop) => shop.isReady()));
  plan.report(
    `Shops that ended without being told to: ${shops.map((shop) => shop.countDeaths()).join(' and ')}.`,
  );
  return {
    ...findings,
    broken,
    requests: cast.calls.traffic.requests,
    orders: cast.journal.placed.size,
    hung: cast.calls.traffic.hung,
    restartsByHand: ready.filter((isReady) => !isReady).length,
  };
}

async function race({ cast, broken, plan }: Scene): Promise<void> {
  const wrong = [...(await raceForTheLastPieces(cast)), ...(await raceOfOneKey(cast))];
  broken.push(...wrong);
  plan.report(
    `Races between the shops: 300 orders for the last pieces, 40 of one key; ${wrong.length} wrong.`,
  );
}

/** Reports the number of refused requests. */
async function underLoad(scene: Scene, happen: (scene: Scene) => Promise<string>): Promise<void> {
  const { cast, plan } = scene;
  const { traffic } = cast.calls;
  const [requests, refused, orders] = [traffic.requests, new Map(traffic.refused), cast.journal.placed.size];
  const load = startLoad(cast);
  await pause(plan.secondsOfLoad * 1000);
  const what = await happen(scene);
  await pause(plan.secondsOfLoad * 1000);
  await load.stop();
  const refusals = [...traffic.refused]
    .map(([call, count]) => [call, count - (refused.get(call) ?? 0)] as const)
    .filter(([, count]) => count > 0);
  const sum = refusals.reduce((all, [, count]) => all + count, 0);
  plan.report(
    `${what}: ${traffic.requests - requests} requests, ${cast.journal.placed.size - orders} orders, ${sum} refused` +
      `${sum === 0 ? '' : ` (${refusals.map(([call, count]) => `${call}: ${count}`).join(', ')})`}`,
  );
  if (happen === restartInTurn && sum > 0)
    scene.broken.push(`${sum} requests were refused in a rolling restart`);
}

async function loseWorker({ shops }: Scene): Promise<string> {
  const [shop] = shops;
  const [pid = 0] = shop?.listWorkers() ?? [];
  signalAll([pid], 'SIGKILL');
  await waitFor('another process', async () => {
    const workers = shop?.listWorkers() ?? [];
    return workers.length === 2 && !workers.includes(pid);
  });
  return 'A process of a shop is killed';
}

async function loseShop({ shops, balancer }: Scene): Promise<string> {
  signalAll([shops[1]?.pid() ?? 0], 'SIGKILL');
  // Otherwise the next event would meet a single shop.
  await balancer.waitUntilUp('shops', 1);
  await balancer.waitUntilUp('shops', 2);
  return 'A shop is killed and started again';
}

async function restartInTurn({ shops, balancer, broken }: Scene): Promise<string> {
  const took = [];
  for (const shop of shops) {
    const { status, tookMs } = await shop.restart();
    if (status !== 0) broken.push(`a shop that was told to end ended with status ${status}`);
    took.push(Math.round(tookMs));
    await balancer.waitUntilUp('shops', 2);
  }
  return `Rolling restart of both shops (they took ${took.join(' and ')} ms to end)`;
}

/** Nobody can see a commit that waits for the standby, so an order that appears exists on one disk only. */
async function stallStandby({ cast, pair, broken }: Scene): Promise<string> {
  pair.stallStandby();
  // Orders confirmed by the standby appear within a moment.
  await pause(1_000);
  const before = await countOrders(pair);
  await pause(STALL_MS);
  const appeared = (await countOrders(pair)) - before;
  if (appeared > 0) broken.push(`${appeared} orders were committed that the standby did not have`);
  const acknowledged = cast.journal.placed.size;
  pair.wakeStandby();
  const wokenAt = performance.now();
  await waitFor('an order after the stall', async () => cast.journal.placed.size > acknowledged);
  const orderedMs = Math.round(performance.now() - wokenAt);
  return `The standby stalls for ${(STALL_MS + 1_000) / 1_000} s, and an order is acknowledged ${orderedMs} ms after that`;
}

const countOrders = (pair: PostgresPair): Promise<number> =>
  pair.withPrimary(async (client) => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from orders');
    return rows[0]?.count ?? 0;
  });

async function losePrimary({ cast, pair }: Scene): Promise<string> {
  const before = cast.journal.placed.size;
  pair.killPrimary();
  const killedAt = performance.now();
  // Like a monitor that checks twice.
  await pause(1_000);
  await pair.promoteStandby();
  const promotedMs = performance.now() - killedAt;
  // Orders in flight are acknowledged within a moment.
  const atPromotion = cast.journal.placed.size;
  await waitFor('an order after the failover', async () => cast.journal.placed.size > atPromotion);
  const orderedMs = performance.now() - killedAt;
  const meanwhile = atPromotion - before;
  return (
    `The primary is killed, the standby promoted ${Math.round(promotedMs)} ms later; the next order is acknowledged ` +
    `${Math.round(orderedMs)} ms after the death (${meanwhile} in between were on their way)`
  );
}
