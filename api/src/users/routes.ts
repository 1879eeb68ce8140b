import { PAGE_LIMIT } from '@parts-forge/contract/paging';
import { cleaned } from '@parts-forge/contract/text';
import {
  deleteUser as deleteUserCall,
  listUsers,
  makeAdmin,
  readUser,
  updateProfile,
} from '@parts-forge/contract/users';
import type { FastifyInstance } from 'fastify';
import { requireOwnEmail, requireOwnEmailOrAdmin } from '#src/platform/http/access.ts';
import { sendPageHeaders } from '#src/platform/http/paging.ts';
import { Problem } from '#src/platform/http/problem.ts';
import { serveCall } from '#src/platform/http/serve-call.ts';
import type { Services } from '#src/services.ts';
import { deleteUser } from './delete-user.ts';
import { changeProfile, findUserByEmail, findUsers, promoteUser, toUser } from './store.ts';

export function registerUsers(app: FastifyInstance, services: Services): void {
  const { database, changes, clock } = services;

  serveCall(app, listUsers, async ({ query, request, reply }) => {
    const page = await findUsers(database.db, {
      limit: query.limit ?? PAGE_LIMIT,
      after: query.after,
      q: cleaned(query.q ?? '', false) || undefined,
    });
    sendPageHeaders(request, reply, page);
    return page.rows.map(toUser);
  });

  serveCall(app, readUser, async ({ actor, params: { email = '' } }) => {
    // Before the look-up: whether somebody else's address has an account is not told.
    requireOwnEmailOrAdmin(actor, email);
    const user = await findUserByEmail(database.db, email);
    if (!user) throw new Problem('not-found');
    return toUser(user);
  });

  serveCall(app, deleteUserCall, async ({ params: { email = '' } }) => {
    await deleteUser(services, email);
    return { deletedCount: 1 };
  });

  serveCall(app, makeAdmin, async ({ params: { email = '' } }) => {
    const counts = await changes.write(async (tx, changed) => {
      changed('users');
      return promoteUser(tx, email, clock.now());
    });
    if (counts.matchedCount === 0) throw new Problem('not-found');
    return { result: { acknowledged: true, ...counts } };
  });

  serveCall(app, updateProfile, async ({ actor, params: { email = '' }, body }) => {
    requireOwnEmail(actor, email);
    await changeProfile(database.db, actor.userId, body, clock.now());
    return { acknowledged: true };
  });
}
