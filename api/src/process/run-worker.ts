import { divideAmongWorkers } from '#src/platform/core/config/server.ts';
import { type Config, readConfig } from '#src/platform/core/config.ts';
import { assertNotNewer } from '#src/platform/database/migrate.ts';
import { joinDatabase } from './connect-database.ts';
import { type Endings, openShop } from './open-shop.ts';
import { waitForAbort } from './patience.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import { endInTime, serveAndClose } from './run-shop.ts';
import { say } from './say.ts';
import { readWorkerMessage, type WorkerMessage, type WorkerOrders } from './worker-messages.ts';

/** Waits while the database is away, since its exit would count as a failure. */
export async function runWorker(env: NodeJS.ProcessEnv, endings: Endings): Promise<number> {
  const orders = await Promise.race([receiveOrders(), waitForAbort(endings.termination)]);
  if (!orders) return 0;
  const config = divideBounds(readConfig(env), orders);
  const opened = new AsyncDisposableStack();
  const serve = async () => {
    await retryWhileUnavailable(() => open(config, orders, endings, opened), { ...endings, say });
    await waitForAbort(endings.termination);
  };
  return endInTime(serveAndClose(serve, opened, endings), endings, () => config.drainMs);
}

function receiveOrders(): Promise<WorkerOrders> {
  return new Promise((resolve) => {
    process.on('message', (message) => {
      const parsed = readWorkerMessage(message);
      if (parsed?.kind === 'open') resolve(parsed);
    });
  });
}

/** Each limit applies to all workers together. */
function divideBounds(config: Config, { port }: WorkerOrders): Config {
  const share = (bound: number) => divideAmongWorkers(bound, config);
  const { maxConnections, maxConnectionsPerAddress: perAddress, maxStreamsPerAddress } = config;
  return {
    ...config,
    port,
    maxConnections: share(maxConnections),
    maxConnectionsPerAddress: perAddress === null ? null : share(perAddress),
    maxStreamsPerAddress: share(maxStreamsPerAddress),
  };
}

async function open(
  config: Config,
  { number, speaks, connection }: WorkerOrders,
  endings: Endings,
  opened: AsyncDisposableStack,
): Promise<void> {
  const attempt = new AsyncDisposableStack();
  const database = joinDatabase(config, connection, (error) =>
    say(`The database broke an idle connection: ${error.message}`),
  );
  attempt.defer(() => database.close());
  try {
    // A newer program may have migrated since the primary started.
    await assertNotNewer(database.db);
    await openShop({ config, database, opened: attempt, ...endings, worker: number, speaks, announce, say });
  } catch (error) {
    await attempt.disposeAsync().catch(() => {});
    throw error;
  }
  opened.use(attempt);
}

function announce(address: string): void {
  process.send?.({ kind: 'is-open', address } satisfies WorkerMessage);
}
