import { type StockEvent, type TrailEvent, trailEvents } from '@parts-forge/contract/events/trail-events';
import { type ContextActor, requestContext } from '#src/platform/core/request-context.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Facts, trail } from './schema.ts';

const VISITOR: ContextActor = { kind: 'visitor', id: null };

/** Ids only: no names, addresses or free text. */
interface About {
  id: string;
  now: Date;
  orderId?: string | undefined;
  /** The user whom the entry is about. */
  userId?: string | undefined;
  paymentId?: string | undefined;
  /** Default: the key that acts. */
  keyId?: string | undefined;
  /** Old and new values under equal names; `Cents` at the end marks cents. */
  before?: Facts | undefined;
  after?: Facts | undefined;
}

type StockMove =
  | { event: StockEvent; productId: string; stockChange: number }
  | { event: TrailEvent; productId?: string | undefined; stockChange?: undefined };

/** `stockChange` is in pieces, negative for removals. */
export type NewEntry = About & StockMove;

/** Call it in the transaction of the act. Actor and request id come from the request's context. */
export async function writeEntry(tx: Executor, entry: NewEntry): Promise<void> {
  await writeEntries(tx, [entry]);
}

export async function writeEntries(tx: Executor, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { requestId, actor = VISITOR } = requestContext.current();
  await tx.insert(trail).values(
    entries.map(({ now, keyId = actor.keyId, ...entry }) => ({
      ...entry,
      keyId,
      topic: trailEvents[entry.event],
      actor: actor.kind,
      actorId: actor.id,
      requestId,
      createdAt: now,
    })),
  );
}
