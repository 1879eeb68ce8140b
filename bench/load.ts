import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { closing } from './closing.ts';

export interface Customer {
  email: string;
  name: string;
  token: string;
}

export interface Reading {
  kind: 'read';
  path: string;
  /** For `If-None-Match`; expects 304. */
  etag?: string;
}

export type Asking =
  | Reading
  /** Another customer for each connection; random products and new keys. */
  | {
      kind: 'order';
      customers: Customer[];
      productIds: string[];
      order: Record<string, unknown>;
      /** As the page does; reads count as answers. */
      readsProduct: boolean;
    };

/** One request in flight on each connection. */
export interface LoadPlan {
  port: number;
  connections: number;
  warmUpMs: number;
  measuredMs: number;
  asking: Asking;
}

export interface LoadResult {
  /** Whole, with the expected 200 or 304, within the measured time. */
  answers: number;
  perSecond: number;
  /** From the last byte sent to the last byte received. */
  medianMs: number;
  percentile99Ms: number;
  /** Share of a core: at 1 the generator was the bottleneck. */
  generatorBusy: number;
}

/** A separate process, so that load takes only a core. */
export interface LoadGenerator {
  /** @throws Error for a partial response or an unexpected status */
  run(plan: LoadPlan): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)), { stdio: 'inherit' });
  const ended = once(child, 'exit');
  return {
    async run(plan) {
      child.send(plan);
      const [message] = await Promise.race([
        once(child, 'message'),
        ended.then(() => [{ error: 'The load generator ended.' }]),
      ]);
      const answer = message as LoadResult | { error: string };
      if ('error' in answer) throw new Error(answer.error);
      return answer;
    },
    stop: closing(async () => {
      if (child.connected) child.disconnect();
      await ended;
    }),
  };
}
