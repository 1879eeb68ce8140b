import { type StockEvent, type TrailEvent, trailEvents } from '@parts-forge/contract/trail-events';
import { type ContextActor, requestContext } from '#src/platform/core/request-context.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Facts, trail } from './schema.ts';

/** A person who is not signed in. */
const VISITOR: ContextActor = { kind: 'visitor', id: null };

/** The ids that an entry concerns. Names, addresses and free text are not allowed. */
interface About {
  id: string;
  now: Date;
  orderId?: string | undefined;
  /** The affected user; the actor comes from the request. */
  userId?: string | undefined;
  paymentId?: string | undefined;
  /** Old and new values under equal names; money in cents under a name that ends with `Cents`. */
  before?: Facts | undefined;
  after?: Facts | undefined;
}

/** A stock change always belongs to a part. */
type StockMove =
  | { event: StockEvent; productId: string; stockChange: number }
  | { event: TrailEvent; productId?: string | undefined; stockChange?: undefined };

/** `stockChange` is in pieces, negative for removals. */
export type NewEntry = About & StockMove;

/**
 * Writes a permanent trail entry, in the transaction of the act. Actor and request id come from the request's
 * context.
 */
export async function writeEntry(tx: Executor, entry: NewEntry): Promise<void> {
  await writeEntries(tx, [entry]);
}

/** Writes several entries in one statement. */
export async function writeEntries(tx: Executor, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { requestId, actor = VISITOR } = requestContext.current();
  await tx.insert(trail).values(
    entries.map(({ now, ...entry }) => ({
      ...entry,
      topic: trailEvents[entry.event],
      actor: actor.kind,
      actorId: actor.id,
      requestId,
      createdAt: now,
    })),
  );
}
