import * as z from 'zod/mini';
import type { Clock } from './clock.ts';
import { finishProcessing } from './confirm-intent.ts';
import type { Database, Executor } from './database.ts';
import { disputePayment } from './disputes.ts';
import { findObject, putObject, type StoredControl } from './object-store.ts';
import { finishRefund } from './refunds.ts';

export type Fault = StoredControl['faults'][number]['fault'];
export type WebhookMode = StoredControl['webhooks'];

/** All processes share it. */
export interface Control {
  read(): Promise<StoredControl>;
  /** @param request `METHOD /path` */
  takeFault(request: string): Promise<Fault | null>;
  /** @throws ApiError for a wrong state; then nothing changes */
  change(change: ControlChange): Promise<void>;
}

export const changeSchema = z.object({
  /** deliver: at once; drop: never; twice: two times; delay: after `delayMs`; hold: until set to deliver. */
  webhooks: z.optional(z.enum(['deliver', 'drop', 'twice', 'delay', 'hold'])),
  delayMs: z.optional(z.int().check(z.gte(0), z.lte(600_000))),
  /** In order. `on` is a part of `METHOD /path`, or null for all. */
  faults: z.optional(
    z.array(
      z.object({
        fault: z.enum(['timeout-before', 'timeout-after', '500', '429']),
        on: z._default(z.nullable(z.string()), null),
        times: z._default(z.int().check(z.gte(1), z.lte(100)), 1),
      }),
    ),
  ),
  processing: z.optional(z.boolean()),
  finish: z.optional(z.string()),
  /** `failed`: accepted, then sent back by the customer's bank. */
  newRefunds: z.optional(z.enum(['succeeded', 'pending', 'failed'])),
  finishRefund: z.optional(z.object({ refund: z.string(), status: z.enum(['succeeded', 'failed']) })),
  dispute: z.optional(
    z.object({
      intent: z.string(),
      /** Also one that Stripe does not have yet. */
      status: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
      /** False leaves the money where it is. */
      moved: z.optional(z.boolean()),
    }),
  ),
});
export type ControlChange = z.output<typeof changeSchema>;

const ID = 'control';

const initial: StoredControl = {
  id: ID,
  webhooks: 'deliver',
  delayMs: 0,
  faults: [],
  processing: false,
  newRefunds: 'succeeded',
};

export function createControl(db: Database, clock: Clock): Control {
  const read = async (tx: Executor, { lock = false } = {}) =>
    (await findObject(tx, 'control', ID, { lock })) ?? initial;

  return {
    read: () => read(db),

    async takeFault(request) {
      const findIndex = ({ faults }: StoredControl) =>
        faults.findIndex(({ on }) => on === null || request.includes(on));
      // Most requests meet no fault and need no lock.
      if (findIndex(await read(db)) === -1) return null;
      return db.transaction(async (tx) => {
        const control = await read(tx, { lock: true });
        const index = findIndex(control);
        // A concurrent request may have taken it.
        const taken = control.faults[index];
        if (!taken) return null;
        const faults = control.faults.toSpliced(index, 1);
        await putObject(tx, 'control', { ...control, faults }, clock.now());
        return taken.fault;
      });
    },

    async change(change) {
      const { finish, finishRefund: ended, dispute } = change;
      await db.transaction(async (tx) => {
        const now = clock.now();
        const control = await read(tx, { lock: true });
        await putObject(tx, 'control', applySettings(control, change), now);
        if (finish !== undefined) await finishProcessing({ tx, now }, finish);
        if (ended) await finishRefund({ tx, now }, ended.refund, ended.status);
        if (dispute) await disputePayment({ tx, now }, dispute);
      });
    },
  };
}

const applySettings = (
  control: StoredControl,
  { webhooks, delayMs, faults, processing, newRefunds }: ControlChange,
): StoredControl => ({
  ...control,
  webhooks: webhooks ?? control.webhooks,
  delayMs: delayMs ?? control.delayMs,
  processing: processing ?? control.processing,
  newRefunds: newRefunds ?? control.newRefunds ?? 'succeeded',
  faults: faults?.flatMap(({ fault, on, times }) => Array(times).fill({ fault, on })) ?? control.faults,
});
