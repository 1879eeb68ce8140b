import type { Role } from '@parts-forge/contract/policies';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { findUserByEmail, lockAdministrators, setRole } from './store.ts';

/**
 * The last administrator stays one: a demotion locks all administrators' rows, so two mutual demotions leave
 * one. Repeatable.
 * @returns both 0 for an unknown user
 * @throws Problem `last-admin`
 */
export async function changeRole(
  tx: Executor,
  { ids }: Pick<Platform, 'ids'>,
  email: string,
  role: Role,
  now: Date,
) {
  const administrators = role === 'user' ? await lockAdministrators(tx) : undefined;
  const user = await findUserByEmail(tx, email, { lock: true });
  if (!user) return { matchedCount: 0, modifiedCount: 0 };
  if (user.role === role) return { matchedCount: 1, modifiedCount: 0 };
  if (administrators === 1) throw new Problem('last-admin');
  await setRole(tx, user.id, role, now);
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
