import {
  deleteUser as deleteUserCall,
  listUsers,
  makeAdmin,
  readUser,
  updateProfile,
} from '@parts-forge/contract/users';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { requireOwnEmail } from '#src/platform/http/access.ts';
import { serveCall, serveList } from '#src/platform/http/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { deleteUser, type SignIns } from './delete-user.ts';
import { promoteUser } from './promote-user.ts';
import { changeProfile, findUserByEmail, findUsers, toUser } from './store.ts';

export function registerUsers(app: FastifyInstance, platform: Platform, signIns: SignIns): void {
  const { database, changes, clock } = platform;

  serveList(app, listUsers, ({ query }) => findUsers(database.db, query));

  serveCall(app, readUser, async ({ actor, params: { email } }) => {
    // Before the look-up: whether somebody else's address has an account is not told.
    requireOwnEmail(readUser, actor, email);
    const user = await findUserByEmail(database.db, email);
    if (!user) throw new Problem('not-found');
    return toUser(user);
  });

  serveCall(app, deleteUserCall, async ({ params: { email } }) => {
    await deleteUser(platform, signIns, email);
    return { deletedCount: 1 };
  });

  serveCall(app, makeAdmin, async ({ params: { email } }) => {
    const counts = await changes.write(async (tx, changed) => {
      const promotion = await promoteUser(tx, platform, email, clock.now());
      if (promotion.modifiedCount > 0) changed('users');
      return promotion;
    });
    if (counts.matchedCount === 0) throw new Problem('not-found');
    return { result: { acknowledged: true, ...counts } };
  });

  serveCall(app, updateProfile, async ({ actor, params: { email }, body }) => {
    requireOwnEmail(updateProfile, actor, email);
    await changeProfile(database.db, actor.userId, body, clock.now());
    return { acknowledged: true };
  });
}
