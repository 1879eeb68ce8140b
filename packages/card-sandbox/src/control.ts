import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { SandboxRefusal } from './api-error.ts';
import type { Clock } from './clock.ts';
import { finishProcessing } from './confirm-intent.ts';
import type { Database, Executor } from './database.ts';
import { findObject, listObjects, putObject, type SavedControl } from './object-store.ts';

type Fault = SavedControl['faults'][number]['fault'];

/** What a test may do to the sandbox, so that losses and races can be tried from outside. */
export interface Control {
  /** The fault that the next request shall meet, if any; it is used up. */
  takeFault(request: string): Promise<Fault | null>;
  isProcessing(): Promise<boolean>;
  /** How webhooks are treated now. */
  webhooks(): Promise<Pick<SavedControl, 'webhooks' | 'delayMs'>>;
  change(change: ControlChange): Promise<void>;
  routes(app: FastifyInstance): void;
}

const changeSchema = z.object({
  /** deliver: at once; drop: never; twice: each two times; delay: after `delayMs`; hold: until deliver is set. */
  webhooks: z.optional(z.enum(['deliver', 'drop', 'twice', 'delay', 'hold'])),
  delayMs: z.optional(z.int().check(z.gte(0), z.lte(600_000))),
  /** What the next provider calls meet, in order; `on` is a part of `METHOD /path`, null for any call. */
  faults: z.optional(
    z.array(
      z.object({
        fault: z.enum(['timeout-before', 'timeout-after', '500', '429']),
        on: z._default(z.nullable(z.string()), null),
        times: z._default(z.int().check(z.gte(1), z.lte(100)), 1),
      }),
    ),
  ),
  /** Confirmed payments stay processing while this is true. */
  processing: z.optional(z.boolean()),
  /** Ends this processing payment now. */
  finish: z.optional(z.string()),
});
export type ControlChange = z.input<typeof changeSchema>;

const initial: SavedControl = {
  id: 'control',
  webhooks: 'deliver',
  delayMs: 0,
  faults: [],
  processing: false,
};

export function createControl({ db, clock }: { db: Database; clock: Clock }, onChange: () => void): Control {
  const read = async (tx: Executor, lock = false) =>
    (await findObject(tx, 'control', 'control', { lock })) ?? initial;

  async function change(given: ControlChange): Promise<void> {
    const { webhooks, delayMs, faults, processing, finish } = changeSchema.parse(given);
    await db.transaction(async (tx) => {
      const now = clock.now();
      const present = await read(tx, true);
      const changed: SavedControl = {
        ...present,
        webhooks: webhooks ?? present.webhooks,
        delayMs: delayMs ?? present.delayMs,
        processing: processing ?? present.processing,
        faults: faults?.flatMap(({ fault, on, times }) => Array(times).fill({ fault, on })) ?? present.faults,
      };
      await putObject(tx, 'control', changed, now);
      if (finish !== undefined) await finishProcessing({ tx, now }, finish);
    });
    onChange();
  }

  return {
    change,
    async takeFault(request) {
      return db.transaction(async (tx) => {
        const present = await read(tx, true);
        const index = present.faults.findIndex(({ on }) => on === null || request.includes(on));
        const taken = present.faults[index];
        if (!taken) return null;
        await putObject(
          tx,
          'control',
          { ...present, faults: present.faults.toSpliced(index, 1) },
          clock.now(),
        );
        return taken.fault;
      });
    },
    isProcessing: async () => (await read(db)).processing,
    webhooks: () => read(db),

    routes(app) {
      app.get('/sandbox/stripe/control', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
        return {
          ...(await read(db)),
          intents: await listObjects(db, 'payment_intent'),
          refunds: await listObjects(db, 'refund'),
          deliveries: await listObjects(db, 'delivery'),
          events: (await listObjects(db, 'event')).map(({ id, type, pending_webhooks }) => ({
            id,
            type,
            pending_webhooks,
          })),
        };
      });
      app.post('/sandbox/stripe/control', async (request, reply) => {
        const given = changeSchema.safeParse(request.body);
        if (!given.success) return reply.code(422).send({ error: given.error.issues });
        try {
          await change(given.data);
        } catch (error) {
          if (error instanceof SandboxRefusal) return reply.code(error.status).send({ error: error.error });
          throw error;
        }
        return { acknowledged: true };
      });
    },
  };
}
