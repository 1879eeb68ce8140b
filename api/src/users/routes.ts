import { readUserData as readUserDataCall } from '@parts-forge/contract/people/accounts';
import {
  changeRole as changeRoleCall,
  changeTax as changeTaxCall,
  deleteUser as deleteUserCall,
  listUsers,
  readUser,
  readUserSummary as readUserSummaryCall,
  updateProfile,
} from '@parts-forge/contract/people/users';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { requireOwnEmail } from '#src/platform/http/calls/access.ts';
import { serveCall, serveList } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { changeRole } from './change-role.ts';
import { changeProfile, changeTax } from './change-tax.ts';
import { deleteOwnAccount, deleteUser, type SignIns } from './delete-user.ts';
import { readUserData } from './read-user-data.ts';
import { readUserSummary } from './read-user-summary.ts';
import { findUserByEmail, findUsers, toUser } from './store.ts';
import type { UserRecords } from './user-records.ts';

export function registerUsers(
  app: FastifyInstance,
  platform: Platform,
  signIns: SignIns,
  records: UserRecords,
): void {
  const { database, changes, clock } = platform;

  serveList(app, listUsers, ({ query: { asked, ...query } }) =>
    findUsers(database.db, { ...query, asked: asked === 'true' }),
  );

  serveCall(app, readUser, async ({ actor, params: { email } }) => {
    // Before the lookup, so that no stranger learns which addresses have accounts.
    requireOwnEmail(readUser, actor, email);
    const user = await findUserByEmail(database.db, email);
    if (!user) throw new Problem('not-found');
    return toUser(user);
  });

  serveCall(app, readUserSummaryCall, ({ params: { email } }) => readUserSummary(platform, records, email));

  serveCall(app, readUserDataCall, async ({ actor, params: { email } }) => {
    requireOwnEmail(readUserDataCall, actor, email);
    return readUserData(platform, records, email);
  });

  serveCall(app, deleteUserCall, async ({ actor, params: { email } }) => {
    requireOwnEmail(deleteUserCall, actor, email);
    if (actor.role === 'user') await deleteOwnAccount(platform, signIns, records, actor);
    else await deleteUser(platform, signIns, records, actor, email);
    return { deletedCount: 1 };
  });

  serveCall(app, changeRoleCall, async ({ actor, params: { email }, body: { role } }) => {
    const counts = await changes.write(async (tx, changed) => {
      const now = clock.now();
      const done = await changeRole(tx, platform, { email, role, now, by: actor });
      if (done.modifiedCount === 0) return done;
      const user = await findUserByEmail(tx, email);
      if (user) {
        await signIns.endKeys(tx, user.id, now);
        await records.switchOffWebhooks(tx, user.id, now);
      }
      changed('users');
      return done;
    });
    if (counts.matchedCount === 0) throw new Problem('not-found');
    return { result: { acknowledged: true, ...counts } };
  });

  serveCall(app, changeTaxCall, async ({ actor, params: { email }, body }) => {
    await changeTax(platform, actor, email, body.tax, 'reason' in body ? body.reason : '');
    return { acknowledged: true };
  });

  serveCall(app, updateProfile, async ({ actor, params: { email }, body }) => {
    requireOwnEmail(updateProfile, actor, email);
    await changeProfile(platform, actor, body);
    return { acknowledged: true };
  });
}
