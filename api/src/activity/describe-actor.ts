import type { TrailActor } from '@parts-forge/contract/events/trail';
import type { ActorKind } from '@parts-forge/contract/events/trail-events';
import type { PersonName } from '#src/users/store.ts';

export function describeActor(
  { actor, actorId }: { actor: ActorKind; actorId: string | null },
  people: ReadonlyMap<string, PersonName>,
): TrailActor {
  if (actorId === null) return { kind: actor };
  const name = people.get(actorId)?.name;
  return { kind: actor, _id: actorId, ...(name !== undefined && { name }) };
}
