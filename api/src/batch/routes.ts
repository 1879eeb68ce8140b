import { MAX_BATCH_LINES } from '@parts-forge/contract/calls/bounds';
import {
  addBatchLines,
  clearBatch,
  joinBatch,
  type LeftLine,
  readBatch as readBatchCall,
  removeBatchLine,
  writeBatchLine,
} from '@parts-forge/contract/orders/batch';
import { idPattern } from '@parts-forge/contract/text/text';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { actAs } from '#src/platform/http/calls/access.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProduct, findProductsById } from '#src/products/store.ts';
import { addPastedLines } from './add-pasted-lines.ts';
import { type Addition, addToBatch, toLine } from './add-to-batch.ts';
import { lockOwnLines } from './lock-own-lines.ts';
import { readBatch } from './read-batch.ts';
import { deleteLine, deleteLines, insertJoin, writeLines } from './store.ts';

/** The customer's saved batch (docs/reference/calls.md). The orders module places it. */
export function registerBatch(
  app: FastifyInstance,
  platform: Pick<Platform, 'config' | 'database' | 'clock'>,
): void {
  const { config, clock, database } = platform;
  const { db } = database;

  serveCall(app, readBatchCall, async ({ actor: { userId } }) => ({
    data: await readBatch(db, config, userId),
  }));

  serveCall(app, writeBatchLine, async ({ actor, params: { productId }, body: { quantity } }) => {
    const { userId } = actor;
    const product = await findProduct(db, productId);
    if (!product) throw new Problem('not-found');
    await db.transaction(async (tx) => {
      const lines = await lockOwnLines(tx, actor);
      const isNew = lines.every((line) => line.productId !== productId);
      if (isNew && lines.length >= MAX_BATCH_LINES) throw new Problem('batch-full');
      await writeLines(tx, userId, [toLine(product, quantity)], clock.now());
    });
    return { data: await readBatch(db, config, userId) };
  });

  serveCall(app, removeBatchLine, async ({ actor, params: { productId } }) => ({
    deletedCount: await actAs(db, actor, (tx) => deleteLine(tx, actor.userId, productId)),
  }));

  serveCall(app, clearBatch, async ({ actor }) => {
    const deletedCount = await db.transaction(async (tx) => {
      await lockOwnLines(tx, actor);
      return deleteLines(tx, actor.userId);
    });
    return { deletedCount };
  });

  serveCall(app, addBatchLines, async ({ actor, body: { text } }) => {
    const unread = await addPastedLines(platform, actor, text);
    return { data: await readBatch(db, config, actor.userId), unread };
  });

  serveCall(app, joinBatch, async ({ actor, body: { join, lines } }) => {
    const { userId } = actor;
    // An empty join needs no record.
    if (lines.length === 0) return { data: await readBatch(db, config, userId), left: [] };
    const ids = lines.map(({ productId }) => productId.toLowerCase());
    const products = await findProductsById(
      db,
      ids.filter((id) => idPattern.test(id)),
    );
    const gone: LeftLine[] = [];
    const additions: Addition[] = [];
    for (const { productId, quantity } of lines) {
      const { product, isDeleted = true } = products.get(productId.toLowerCase()) ?? {};
      if (product && !isDeleted) additions.push({ product, quantity });
      else gone.push({ productId, ...(product && { name: product.name }), reason: 'gone' });
    }
    const { leftOut } = await db.transaction(async (tx) => {
      const result = addToBatch(await lockOwnLines(tx, actor), additions);
      // The answer to the first request may be lost.
      const isRepeat = !(await insertJoin(tx, userId, join, clock.now()));
      if (!isRepeat) await writeLines(tx, userId, result.added, clock.now());
      return result;
    });
    const left = [...leftOut].map(([{ product }, reason]) => ({
      productId: product._id,
      name: product.name,
      reason,
    }));
    return { data: await readBatch(db, config, userId), left: [...gone, ...left] };
  });
}
