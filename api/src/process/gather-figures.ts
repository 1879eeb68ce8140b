import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Figures, Metrics } from '#src/platform/core/metrics.ts';
import { readWorkerMessage, tell, type WorkerMessage } from './worker-messages.ts';

/** Timeout for the other workers' metrics, so that a hanging worker delays no scrape. */
const PATIENCE_MS = 2_500;

let lastId = 0;

/** Asks the supervisor for the metrics of all workers. @returns only this worker's after the timeout */
export async function gatherFigures(own: Figures): Promise<readonly Figures[]> {
  lastId += 1;
  const id = lastId;
  const { promise, resolve } = Promise.withResolvers<readonly Figures[]>();
  const hear = (message: unknown) => {
    const told = readWorkerMessage(message);
    if (told?.kind === 'gathered-figures' && told.id === id) resolve(told.all);
  };
  process.on('message', hear);
  process.send?.({ kind: 'gather-figures', id, own } satisfies WorkerMessage);
  const all = await Promise.race([promise, wait(2 * PATIENCE_MS, [own], { ref: false })]);
  process.off('message', hear);
  return all;
}

/** Sends this worker's metrics whenever another one gathers them. */
export function giveFigures({ collect }: Pick<Metrics, 'collect'>): void {
  process.on('message', async (message) => {
    const told = readWorkerMessage(message);
    if (told?.kind !== 'ask-figures') return;
    const own = await collect();
    process.send?.({ kind: 'own-figures', id: told.id, own } satisfies WorkerMessage);
  });
}

/** Passes metrics between the workers, in the supervisor. */
export interface FigureExchange {
  add(worker: ChildProcess): void;
}

/**
 * Keeps the counters of dead workers in the sum. Prometheus would take a falling sum for a restart of the
 * whole shop and count it twice.
 */
export function createFigureExchange(): FigureExchange {
  /** Last known metrics of each worker. */
  const present = new Map<ChildProcess, Figures>();
  let former: Figures = [];
  const workers = new Set<ChildProcess>();

  async function ask(worker: ChildProcess, id: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const hear = (message: unknown) => {
      const told = readWorkerMessage(message);
      if (told?.kind !== 'own-figures' || told.id !== id) return;
      present.set(worker, told.own);
      resolve();
    };
    worker.on('message', hear);
    tell(worker, { kind: 'ask-figures', id });
    await Promise.race([promise, wait(PATIENCE_MS, undefined, { ref: false })]);
    worker.off('message', hear);
  }

  async function answer(asking: ChildProcess, id: number, own: Figures): Promise<void> {
    present.set(asking, own);
    lastId += 1;
    const question = lastId;
    const others = [...workers].filter((worker) => worker !== asking);
    await Promise.all(others.map((worker) => ask(worker, question)));
    // The asking worker comes first, since the database gauges are taken from it.
    const all = [asking, ...others].map((worker) => present.get(worker) ?? []);
    tell(asking, { kind: 'gathered-figures', id, all: [...all, former] });
  }

  return {
    add(worker) {
      workers.add(worker);
      worker.on('message', (message) => {
        const told = readWorkerMessage(message);
        if (told?.kind === 'gather-figures') void answer(worker, told.id, told.own);
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

/** Only cumulative metrics: gauges end with their process. */
const isCounted = (figure: object): boolean =>
  'type' in figure && (figure.type === 'counter' || figure.type === 'histogram');

async function addUp(figures: readonly Figures[]): Promise<Figures> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate([...figures]).getMetricsAsJSON();
}
