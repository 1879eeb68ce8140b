import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Figures, Metrics } from '#src/platform/core/metrics.ts';
import { readWorkerMessage, sendTo, type WorkerMessage } from './worker-messages.ts';

/** A hanging worker must not delay the scrape. */
const PATIENCE_MS = 2_500;

let lastId = 0;

/** Only this worker's metrics after the timeout. */
export async function gatherFigures(own: Figures): Promise<readonly Figures[]> {
  lastId += 1;
  const id = lastId;
  const { promise, resolve } = Promise.withResolvers<readonly Figures[]>();
  const onMessage = (message: unknown) => {
    const parsed = readWorkerMessage(message);
    if (parsed?.kind === 'gathered-figures' && parsed.id === id) resolve(parsed.all);
  };
  process.on('message', onMessage);
  process.send?.({ kind: 'gather-figures', id, own } satisfies WorkerMessage);
  const all = await Promise.race([promise, wait(2 * PATIENCE_MS, [own], { ref: false })]);
  process.off('message', onMessage);
  return all;
}

export function giveFigures({ collect }: Pick<Metrics, 'collect'>): void {
  process.on('message', async (message) => {
    const parsed = readWorkerMessage(message);
    if (parsed?.kind !== 'ask-figures') return;
    const own = await collect();
    process.send?.({ kind: 'own-figures', id: parsed.id, own } satisfies WorkerMessage);
  });
}

/** Keeps the counters of dead workers: Prometheus takes a falling sum for a restart and counts it twice. */
export function createFigureExchange() {
  const present = new Map<ChildProcess, Figures>();
  let former: Figures = [];
  const workers = new Set<ChildProcess>();

  async function ask(worker: ChildProcess, id: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const onMessage = (message: unknown) => {
      const parsed = readWorkerMessage(message);
      if (parsed?.kind !== 'own-figures' || parsed.id !== id) return;
      present.set(worker, parsed.own);
      resolve();
    };
    worker.on('message', onMessage);
    sendTo(worker, { kind: 'ask-figures', id });
    await Promise.race([promise, wait(PATIENCE_MS, undefined, { ref: false })]);
    worker.off('message', onMessage);
  }

  async function answer(asking: ChildProcess, id: number, own: Figures): Promise<void> {
    present.set(asking, own);
    lastId += 1;
    const question = lastId;
    const others = [...workers].filter((worker) => worker !== asking);
    await Promise.all(others.map((worker) => ask(worker, question)));
    // The database gauges come from the first, the asking worker.
    const all = [asking, ...others].map((worker) => present.get(worker) ?? []);
    sendTo(asking, { kind: 'gathered-figures', id, all: [...all, former] });
  }

  return {
    add(worker: ChildProcess): void {
      workers.add(worker);
      worker.on('message', (message) => {
        const parsed = readWorkerMessage(message);
        if (parsed?.kind === 'gather-figures') void answer(worker, parsed.id, parsed.own);
      });
      worker.once('exit', async () => {
        workers.delete(worker);
        const last = present.get(worker);
        present.delete(worker);
        if (last) former = await addUp([former, last.filter(isCounted)]);
      });
    },
  };
}

/** Gauges end with their process. */
const isCounted = (figure: object): boolean =>
  'type' in figure && (figure.type === 'counter' || figure.type === 'histogram');

async function addUp(figures: readonly Figures[]): Promise<Figures> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([...figures]).getMetricsAsJSON();
}
