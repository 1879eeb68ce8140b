import type { ChangeTag } from './change-feed.ts';

/**
 * What is known of a replica's state, in milliseconds of this process's own clock: no other clock is compared with it.
 *
 * A proof says that the replica has everything that was committed before a moment. It may answer a read while its last
 * proof is young enough and later than every change of what the read shows that this process has heard of. So nothing
 * old is read, nor cached, after a change was heard; what was not heard yet is missing for the bound at most.
 */
export interface ReplicaFreshness {
  noteChange(changed: ReadonlySet<ChangeTag> | 'all'): void;
  /** @param atMs the replica has all that was committed before */
  noteProof(atMs: number): void;
  /** The replica failed: it has to prove itself anew. */
  distrust(): void;
  /** Whether a read that shows these may be the replica's. */
  has(tags: readonly ChangeTag[]): boolean;
}

/** @param lagMs bound of the age of a proof */
export function createReplicaFreshness(lagMs: number, nowMs: () => number): ReplicaFreshness {
  let provenAtMs = Number.NEGATIVE_INFINITY;
  let allChangedAtMs = nowMs();
  const changedAtMs = new Map<ChangeTag, number>();
  const isProven = (changeAtMs: number) => changeAtMs <= provenAtMs;
  return {
    noteChange(changed) {
      if (changed === 'all') allChangedAtMs = nowMs();
      else for (const tag of changed) changedAtMs.set(tag, nowMs());
    },
    noteProof(atMs) {
      provenAtMs = atMs;
      for (const [tag, changeAtMs] of changedAtMs) if (isProven(changeAtMs)) changedAtMs.delete(tag);
    },
    distrust() {
      provenAtMs = Number.NEGATIVE_INFINITY;
    },
    has: (tags) =>
      nowMs() - provenAtMs <= lagMs &&
      isProven(allChangedAtMs) &&
      tags.every((tag) => isProven(changedAtMs.get(tag) ?? Number.NEGATIVE_INFINITY)),
  };
}
