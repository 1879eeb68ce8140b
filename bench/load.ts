import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { closing } from './closing.ts';

/** A person whose orders are placed. */
export interface Customer {
  email: string;
  name: string;
  token: string;
}

export interface Login {
  email: string;
  password: string;
}

/** One read, repeated. */
export interface Reading {
  kind: 'read';
  path: string;
  /** Entity tag for `If-None-Match`; expects 304. */
  etag?: string;
}

/** The repeated request of each connection. */
export type Asking =
  | Reading
  /** Another person for each connection, as sign-ins of one account queue. */
  | { kind: 'sign-in'; people: Login[] }
  /** Another customer for each connection; each order has a random product and a new key. */
  | {
      kind: 'order';
      customers: Customer[];
      productIds: string[];
      order: Record<string, unknown>;
      /** Reads the product between orders, as the page does; reads count as answers. */
      readsProduct: boolean;
    };

/** A run of load with one request in flight on each connection. */
export interface LoadPlan {
  port: number;
  connections: number;
  /** Source address of the connections; default: 127.0.0.1. */
  from?: string;
  /** Pause after each response; default: none. */
  pauseMs?: number;
  /** Not counted. */
  warmUpMs: number;
  measuredMs: number;
  asking: Asking;
}

export interface LoadResult {
  /** Whole responses with the expected 200 or 304, within the measured time. */
  answers: number;
  perSecond: number;
  /** From the last byte sent to the last byte received. */
  medianMs: number;
  percentile99Ms: number;
  /** Share of a core that the generator used: at 1 it was the bottleneck. */
  generatorBusy: number;
}

/** A separate load process, which takes nothing but a core from the measured one. */
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
