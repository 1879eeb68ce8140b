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

/** What somebody signs in with. */
export interface Login {
  email: string;
  password: string;
}

/** The same read again and again. */
export interface Reading {
  kind: 'read';
  path: string;
  /** The entity tag that the reader has; it is answered with 304 then. */
  etag?: string;
}

/** What every connection asks for, again and again. */
export type Asking =
  | Reading
  /** On each connection another person signs in again and again, as those of one account wait for each other. */
  | { kind: 'sign-in'; people: Login[] }
  /** Each connection is another customer; each order one of the products, by chance, with a key of its own. */
  | {
      kind: 'order';
      customers: Customer[];
      productIds: string[];
      order: Record<string, unknown>;
      /** Reads the product between two orders, as the page does; a read counts as an answer, too. */
      readsProduct: boolean;
    };

/** One run of load: so many connections, each with one request under way at any time. */
export interface LoadPlan {
  port: number;
  connections: number;
  /** The address of this machine that the connections come from; 127.0.0.1 when absent. */
  from?: string;
  /** Milliseconds between an answer and the next request, as somebody reads; none when absent. */
  pauseMs?: number;
  /** Not counted. */
  warmUpMs: number;
  measuredMs: number;
  asking: Asking;
}

export interface LoadResult {
  /** Whole answers with the expected status, 200 or 304, within the measured time. */
  answers: number;
  perSecond: number;
  /** From the last byte asked to the last byte answered. */
  medianMs: number;
  percentile99Ms: number;
  /** How much of one core the generator itself used, 0 to 1: at 1 it is the generator that was measured. */
  generatorBusy: number;
}

/** A process that makes load, so that making it takes nothing from what is measured but a core. */
export interface LoadGenerator {
  /** @throws Error for any answer but a whole one with the expected status */
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
