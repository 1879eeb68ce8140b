import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { StartError } from '#src/platform/core/start-error.ts';
import { createFigureExchange } from './gather-figures.ts';
import type { Opening } from './open-shop.ts';
import { waitForAbort } from './patience.ts';
import { readWorkerMessage, sendTo, type WorkerOrders } from './worker-messages.ts';

const workerFile = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** More deaths in this time make restarts pointless. */
const MAX_DEATHS = 5;
const WINDOW_MS = 60_000;

/**
 * Dead workers are replaced. All end when `opened` closes, before the database.
 *
 * Not `node:cluster`, which ends a worker at once when its parent is gone. Its round robin left connections
 * hanging after kills, as each passes through the parent; its shared queue spread them up to 1 : 9.
 * @throws StartError when a first worker cannot open, or workers die repeatedly
 */
export async function superviseWorkers(opening: Opening, port: number): Promise<void> {
  const { config, database, opened, termination, announce, say } = opening;
  if (process.platform !== 'linux') {
    throw new StartError('WORKERS above 1 needs Linux, where several processes may listen on one port.');
  }
  const connection = config.databaseUrl === null ? database.connection : null;
  const running = new Set<ChildProcess>();
  const figures = createFigureExchange();
  opened.defer(() => endWorkers(running, opening));
  const { promise: failure, reject: fail } = Promise.withResolvers<never>();
  const deaths: number[] = [];
  let isOpen = false;

  function start(number: number): Promise<string> {
    const worker = startWorker({ kind: 'open', number, speaks: number === 1 && !isOpen, connection, port });
    running.add(worker);
    figures.add(worker);
    worker.once('exit', (status, signal) => {
      running.delete(worker);
      if (termination.aborted) return;
      // The worker has printed the reason.
      if (!isOpen) return fail(new StartError('A process of the shop could not be opened; the shop closes.'));
      replace(number, signal ?? `status ${status}`);
    });
    return waitUntilOpen(worker);
  }

  function replace(number: number, how: string): void {
    const now = Date.now();
    deaths.push(now);
    if (deaths.filter((at) => now - at < WINDOW_MS).length >= MAX_DEATHS) {
      fail(new StartError(`Processes of the shop end again and again (${how}); the shop closes.`));
      return;
    }
    say(`Process ${number} of the shop ended unexpectedly (${how}); another one takes its place.`);
    start(number);
  }

  const numbers = Array.from({ length: config.workers }, (_, index) => index + 1);
  const addresses = await Promise.race([Promise.all(numbers.map(start)), failure]);
  isOpen = true;
  announce(`${addresses[0]} in ${config.workers} processes`);
  await Promise.race([waitForAbort(termination), failure]);
}

function startWorker(orders: WorkerOrders): ChildProcess {
  const worker = fork(workerFile, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  worker.on('error', () => {});
  sendTo(worker, orders);
  return worker;
}

/** Never resolves for a worker that ends first. */
function waitUntilOpen(worker: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    worker.on('message', (message) => {
      const parsed = readWorkerMessage(message);
      if (parsed?.kind === 'is-open') resolve(parsed.address);
    });
  });
}

/** Workers finish running responses; those left die with this process. */
async function endWorkers(
  running: ReadonlySet<ChildProcess>,
  { abandonment }: Pick<Opening, 'abandonment'>,
): Promise<void> {
  const workers = [...running];
  process.once('exit', () => {
    for (const worker of running) worker.kill('SIGKILL');
  });
  const ends = workers.map((worker) => once(worker, 'exit'));
  for (const worker of workers) worker.kill('SIGTERM');
  waitForAbort(abandonment).then(() => {
    // A closed channel means that the parent is gone.
    for (const worker of running) if (worker.connected) worker.disconnect();
  });
  await Promise.all(ends);
}
