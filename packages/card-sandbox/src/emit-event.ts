import { putObject } from './object-store.ts';
import type { RequestContext } from './request-context.ts';
import { buildEvent, type EventType, generateId, type SandboxEvent } from './stripe-objects.ts';

/**
 * Writes an event and its delivery. Both are part of the request's transaction: an event exists exactly when what
 * it tells has happened.
 */
export async function emitEvent(
  { tx, now }: RequestContext,
  type: EventType,
  object: SandboxEvent['data']['object'],
): Promise<void> {
  const event = buildEvent(type, object, now);
  await putObject(tx, 'event', event, now);
  const delivery = { id: generateId('del'), eventId: event.id, tries: 0, nextAt: now.toISOString() };
  await putObject(tx, 'delivery', delivery, now);
}
