import { type StockEvent, type TrailEvent, trailEvents } from '@parts-forge/contract/trail-events';
import { type ContextActor, requestContext } from '#src/platform/core/request-context.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Facts, trail } from './schema.ts';

/** Whoever has not proven who they are. */
const VISITOR: ContextActor = { kind: 'visitor', id: null };

/** What an entry is about, each by its id. Names, addresses and free texts have no place here. */
interface About {
  id: string;
  now: Date;
  orderId?: string | undefined;
  /** Whom it was done to; who did it is the request's actor. */
  userId?: string | undefined;
  paymentId?: string | undefined;
  /** What was and what is, by the same names; money in cents under a name that ends with `Cents`. */
  before?: Facts | undefined;
  after?: Facts | undefined;
}

/** Only some events move a stock, and then it is the stock of a part. */
type StockMove =
  | { event: StockEvent; productId: string; stockChange: number }
  | { event: TrailEvent; productId?: string | undefined; stockChange?: undefined };

/** `stockChange` is in pieces, below zero for those that leave the stock. */
export type NewEntry = About & StockMove;

/**
 * Writes an entry of the trail, in the transaction that does what it tells; it can never be changed or removed. Who
 * did it, and for which request, comes from the request's context.
 */
export async function writeEntry(tx: Executor, entry: NewEntry): Promise<void> {
  await writeEntries(tx, [entry]);
}

/** The same for several, in one statement. */
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
