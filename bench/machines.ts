import { createServer } from 'node:http';
import { EVENT_TYPES } from '@parts-forge/contract/events/event-types';
import { closing } from './closing.ts';
import { makeDataFolder } from './data-folder.ts';
import { type Figure, summarize } from './figures.ts';
import { type LoadPlan, startLoadGenerator } from './load.ts';
import { buildUrl, order, startOrderDatabases } from './order-database.ts';
import { ask, readText, signInAsAdministrator } from './people.ts';
import { startShop } from './shop-process.ts';

const rounds = 7;
const slices = 4;
const measuredMs = 1500;
const connections = 16;
const webhookCount = 3;
const keyCount = 20;
export interface MachinesResult {
  asked: 'POST /order' | 'GET /product';
  perSecond: Figure;
  /** With the webhooks off and the keys silent. */
  alonePerSecond: Figure;
  /** For each round's pair. */
  ratio: Figure;
  eventsPerSecond: Figure;
}

/**
 * Orders, and reads, beside three webhooks at one receiver and twenty keys that each read the events each ten seconds.
 * @returns the reason, as a sentence, without an installed PostgreSQL
 */
export async function measureMachines(): Promise<MachinesResult[] | string> {
  const databases = await startOrderDatabases(connections);
  if (!databases) return 'No PostgreSQL of version 15 or newer is installed here.';
  const folder = makeDataFolder();
  const generator = startLoadGenerator();
  const receiver = await startReceiver();
  const shop = await startShop({
    DATA_DIR: folder.path,
    DATABASE_URL: buildUrl(databases.shop),
    SEED: 'none',
    WEBHOOK_HOSTS: '127.0.0.1',
  });
  try {
    await shop.firstSuccess('/readyz');
    const machines = await connectMachines(`http://127.0.0.1:${shop.port}`, receiver.port);
    const plan = { port: shop.port, connections, warmUpMs: 200, measuredMs };
    const { customers, productIds } = databases;
    const asked: Record<MachinesResult['asked'], LoadPlan['asking']> = {
      'POST /order': { kind: 'order', customers, productIds, readsProduct: false, order },
      'GET /product': { kind: 'read', path: '/product' },
    };
    const results: MachinesResult[] = [];
    for (const [name, asking] of Object.entries(asked)) {
      const run = async () => (await generator.run({ ...plan, asking })).perSecond;
      const pairs: { beside: number; alone: number; events: number }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const pair = { beside: 0, alone: 0, events: 0 };
        await databases.checkpoint();
        for (let slice = 0; slice < slices; slice += 1) {
          // In turn first and second: a table grows meanwhile.
          for (const isBeside of slice % 2 === round % 2 ? [true, false] : [false, true]) {
            if (isBeside) await machines.start();
            const before = receiver.count();
            pair[isBeside ? 'beside' : 'alone'] += (await run()) / slices;
            if (!isBeside) continue;
            pair.events += ((receiver.count() - before) * 1000) / (plan.warmUpMs + measuredMs) / slices;
            await machines.stop();
          }
        }
        pairs.push(pair);
      }
      results.push({
        asked: name as MachinesResult['asked'],
        perSecond: summarize(pairs, ({ beside }) => beside, 0),
        alonePerSecond: summarize(pairs, ({ alone }) => alone, 0),
        ratio: summarize(pairs, ({ beside, alone }) => beside / alone, 2),
        eventsPerSecond: summarize(pairs, ({ events }) => events, 0),
      });
    }
    return results;
  } finally {
    await shop.stop();
    await generator.stop();
    await receiver.stop();
    await databases.stop();
    await folder.remove();
  }
}

async function startReceiver() {
  let events = 0;
  const server = createServer((request, response) => {
    events += 1;
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  const stop = closing(async () => {
    server.close();
    server.closeAllConnections();
  });
  return { port: address.port, count: () => events, stop };
}

async function connectMachines(shop: string, receiverPort: number) {
  const token = await signInAsAdministrator(shop);
  const call = (method: string, path: string, body: unknown) =>
    ask(`${shop}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const keys = await Promise.all(
    Array.from({ length: keyCount }, async (_, index) =>
      readText(await call('POST', '/key', { name: `Program ${index}`, scopes: ['events:read'] }), 'key'),
    ),
  );
  const webhooks = await Promise.all(
    Array.from({ length: webhookCount }, async (_, index) => {
      const body = { url: `http://127.0.0.1:${receiverPort}/${index}`, types: EVENT_TYPES };
      const made: unknown = await (await call('POST', '/webhook', body)).json();
      return (made as { data: { _id: string } }).data._id;
    }),
  );
  const switchAll = (state: 'on' | 'off') =>
    Promise.all(webhooks.map((id) => call('PATCH', `/webhook/${id}`, { state })));
  let timer: NodeJS.Timeout | undefined;
  const readEvents = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${shop}/events?limit=1`, { headers }).catch(() => null);
    await answer?.arrayBuffer();
  };
  await switchAll('off');
  return {
    async start() {
      await switchAll('on');
      let next = 0;
      timer = setInterval(() => void readEvents(keys[next++ % keyCount] ?? ''), (10 * 1000) / keyCount);
    },
    async stop() {
      clearInterval(timer);
      await switchAll('off');
    },
  };
}
