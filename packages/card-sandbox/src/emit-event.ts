import { putObject } from './object-store.ts';
import type { RequestContext } from './request-context.ts';
import { buildEvent, type EventType, generateId, type SandboxEvent } from './stripe-objects.ts';

/** In the request's transaction: an event exists only if its cause was committed. */
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
