import type { Role } from '@parts-forge/contract/calls/policies';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { findUserByEmail, lockAdministrators, updateUser } from './store.ts';

/** @param by null for the operator's command */
interface NewRole {
  email: string;
  role: Role;
  now: Date;
  by: Administrator | null;
}

/**
 * Locks all administrators' rows: mutual demotions leave one, and a concurrently demoted administrator
 * changes no role. Repeatable.
 * @returns both 0 for an unknown user
 * @throws Problem `last-admin`, and those of `Actor.confirm`
 */
export async function changeRole(
  tx: Executor,
  { ids }: Pick<Platform, 'ids'>,
  { email, role, now, by }: NewRole,
) {
  const administrators = by || role === 'user' ? await lockAdministrators(tx) : undefined;
  await by?.confirm(tx);
  const user = await findUserByEmail(tx, email, { lock: true });
  if (!user) return { matchedCount: 0, modifiedCount: 0 };
  if (user.role === role) return { matchedCount: 1, modifiedCount: 0 };
  if (role === 'user' && administrators === 1) throw new Problem('last-admin');
  await updateUser(tx, user.id, { role, passwordAskedAt: null }, now);
  await writeEntry(tx, {
    id: ids.next(),
    now,
    event: 'role-changed',
    userId: user.id,
    before: { role: user.role },
    after: { role },
  });
  return { matchedCount: 1, modifiedCount: 1 };
}
