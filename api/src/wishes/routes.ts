import { MAX_WISHES } from '@parts-forge/contract/bounds';
import { isAvailable } from '@parts-forge/contract/part-rules';
import { addWish, countWishes, readWish, removeWish, stopWishes } from '@parts-forge/contract/wishes';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProduct } from '#src/products/store.ts';
import { findUserById } from '#src/users/store.ts';
import { readStopToken } from './stop-token.ts';
import {
  countWishesByPart,
  countWishesOf,
  deleteWish,
  deleteWishesOf,
  hasWish,
  insertWish,
} from './store.ts';

export function registerWishes(
  app: FastifyInstance,
  { config, clock, database: { db } }: Pick<Platform, 'config' | 'clock' | 'database'>,
): void {
  serveCall(app, readWish, async ({ actor: { userId }, params: { id } }) => ({
    waiting: await hasWish(db, userId, id),
  }));

  serveCall(app, addWish, async ({ actor: { userId }, params: { id } }) => {
    if (!config.smtp) throw new Problem('not-found', { detail: 'This shop sends no mail.' });
    const product = await findProduct(db, id);
    if (!product) throw new Problem('not-found');
    await db.transaction(async (tx) => {
      // The lock makes a deletion of the account, which deletes the wishes, wait.
      const user = await findUserById(tx, userId, { lock: true });
      if (!user) throw new Problem('sign-in-needed');
      // Somebody could register another's address to have it mailed.
      if (!user.emailVerified) throw new Problem('email-not-verified');
      if (isAvailable(product)) throw new Problem('can-be-ordered');
      const isFull = (await countWishesOf(tx, userId)) >= MAX_WISHES;
      if (isFull && !(await hasWish(tx, userId, id))) throw new Problem('too-many-wishes');
      await insertWish(tx, userId, id, clock.now());
    });
    return { waiting: true };
  });

  serveCall(app, removeWish, async ({ actor: { userId }, params: { id } }) => ({
    deletedCount: await deleteWish(db, userId, id),
  }));

  serveCall(app, countWishes, async () => ({ data: await countWishesByPart(db) }));

  serveCall(app, stopWishes, async ({ body: { token } }) => {
    const userId = await readStopToken(db, token);
    if (userId === null) throw new Problem('dead-link');
    return { deletedCount: await deleteWishesOf(db, userId) };
  });
}
