import { MAX_WISHES } from '@parts-forge/contract/calls/bounds';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import * as contract from '@parts-forge/contract/products/wishes';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { actAs } from '#src/platform/http/calls/access.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProduct } from '#src/products/store.ts';
import { findUserById } from '#src/users/store.ts';
import { wishes } from './schema.ts';
import { readStopToken } from './stop-token.ts';
import { countWishes, countWishesByPart, deleteWishes } from './store.ts';

const UNCONFIRMED = 'Confirm your email address first: My Profile sends the link.';

type Services = Pick<Platform, 'config' | 'clock' | 'database' | 'changes'>;

export function registerWishes(
  app: FastifyInstance,
  { config, clock, changes, database: { db } }: Services,
): void {
  serveCall(app, contract.readWish, async ({ actor: { userId }, params: { id } }) => ({
    waiting: (await countWishes(db, userId, id)) > 0,
  }));

  serveCall(app, contract.addWish, async ({ actor, params: { id } }) => {
    const product = config.smtp && (await findProduct(db, id));
    if (!product) throw new Problem('not-found');
    const { userId } = actor;
    await actAs(changes, actor, async (tx) => {
      // Somebody could register another's address to have it mailed.
      if (!(await findUserById(tx, userId))?.emailVerified)
        throw new Problem('email-not-verified', { detail: UNCONFIRMED });
      if (isAvailable(product)) throw new Problem('can-be-ordered');
      const row = { userId, productId: id, createdAt: clock.now() };
      await tx.insert(wishes).values(row).onConflictDoNothing();
      if ((await countWishes(tx, userId)) > MAX_WISHES) throw new Problem('too-many-wishes');
    });
    return { waiting: true };
  });

  serveCall(app, contract.removeWish, async ({ actor, params: { id } }) => ({
    deletedCount: await actAs(changes, actor, (tx) => deleteWishes(tx, actor.userId, id)),
  }));

  serveCall(app, contract.countWishes, async () => ({ data: await countWishesByPart(db) }));

  serveCall(app, contract.stopWishes, async ({ body: { token } }) => {
    const userId = await readStopToken(db, token);
    if (userId === null) throw new Problem('dead-link');
    return { deletedCount: await deleteWishes(db, userId) };
  });
}
