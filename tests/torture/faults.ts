import { setTimeout as pause } from 'node:timers/promises';
import { signalAll } from '@parts-forge/embedded-postgres/linux-processes';
import { listDatabaseProcesses, withConnection } from './database.ts';
import { floodWithHalfBodies, floodWithSilence, floodWithSlowReaders } from './floods.ts';
import type { Random } from './random.ts';
import type { Shop } from './shop.ts';

export interface Place {
  shop: Shop;
  dataDir: string;
  random: Random;
}

export interface Fault {
  name: string;
  /** @returns processes that must end soon after */
  happen(place: Place): Promise<readonly number[]>;
}

const nothing: readonly number[] = [];

/** All other processes of the shop must end too. */
const endBy =
  (choose: (shop: ReturnType<Shop['processes']>) => number[]) =>
  async ({ shop, dataDir }: Place) => {
    const processes = shop.processes();
    const all = [...Object.values(processes), ...listDatabaseProcesses(dataDir)];
    signalAll(choose(processes), 'SIGKILL');
    return all.filter((pid) => pid > 0);
  };

/** Like a hanging disk. */
async function stall({ dataDir, random }: Place): Promise<readonly number[]> {
  const pids = listDatabaseProcesses(dataDir);
  signalAll(pids, 'SIGSTOP');
  await pause(random.integer(1_000, 8_000));
  signalAll(pids, 'SIGCONT');
  return nothing;
}

export const faults: readonly Fault[] = [
  { name: 'the shop is killed', happen: endBy(({ node }) => [node]) },
  { name: 'the launcher is killed', happen: endBy(({ launcher }) => [launcher]) },
  { name: 'launcher and shop are killed', happen: endBy(({ launcher, node }) => [launcher, node]) },
  {
    name: 'shop, supervisor and PostgreSQL are killed',
    happen: endBy(({ launcher, node, supervisor, postmaster }) => [launcher, node, supervisor, postmaster]),
  },
  {
    name: 'the supervisor of PostgreSQL is killed',
    async happen({ shop }) {
      signalAll([shop.processes().supervisor], 'SIGKILL');
      return nothing;
    },
  },
  {
    name: 'PostgreSQL is killed',
    async happen({ dataDir }) {
      signalAll(listDatabaseProcesses(dataDir).slice(0, 1), 'SIGKILL');
      return nothing;
    },
  },
  {
    name: 'a process of PostgreSQL is killed',
    async happen({ dataDir, random }) {
      const [, ...children] = listDatabaseProcesses(dataDir);
      if (children.length > 0) signalAll([random.pick(children)], 'SIGKILL');
      return nothing;
    },
  },
  {
    name: 'every connection to the database is ended',
    async happen({ dataDir }) {
      await withConnection(dataDir, (client) =>
        client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
        ),
      );
      return nothing;
    },
  },
  {
    name: 'the shop is told to end',
    async happen({ shop }) {
      const pids = Object.values(shop.processes()).filter((pid) => pid > 0);
      await shop.stop();
      return pids;
    },
  },
  { name: 'PostgreSQL does not move', happen: stall },
  {
    name: 'the shop does not move',
    async happen({ shop, random }) {
      const { node } = shop.processes();
      signalAll([node], 'SIGSTOP');
      await pause(random.integer(500, 4_000));
      signalAll([node], 'SIGCONT');
      return nothing;
    },
  },
  {
    name: 'the orders are locked',
    async happen({ dataDir, random }) {
      await withConnection(dataDir, async (client) => {
        await client.query('begin');
        await client.query("set local lock_timeout = '4s'");
        await client.query('lock table orders in access exclusive mode').catch(() => {});
        await pause(random.integer(1_000, 6_000));
        await client.query('rollback');
      });
      return nothing;
    },
  },
  {
    name: 'half-sent bodies',
    async happen({ shop }) {
      await floodWithHalfBodies(readPort(shop));
      return nothing;
    },
  },
  {
    name: 'slow readers',
    async happen({ shop }) {
      await floodWithSlowReaders(readPort(shop));
      return nothing;
    },
  },
  {
    name: 'silent connections',
    async happen({ shop }) {
      await floodWithSilence(readPort(shop));
      return nothing;
    },
  },
];

const readPort = ({ url }: Shop) => Number(new URL(url).port);
