import { MAX_BATCH_LINES } from '@parts-forge/contract/calls/bounds';
import {
  addBatchFile,
  addBatchLines,
  clearBatch,
  joinBatch as joinBatchCall,
  readBatch as readBatchCall,
  removeBatchLine,
  writeBatchLine,
} from '@parts-forge/contract/orders/batch';
import { readBatchLines } from '@parts-forge/contract/orders/batch-lines';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { actAs } from '#src/platform/http/calls/access.ts';
import { serveCall, serveFile } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProduct } from '#src/products/store.ts';
import { addFile } from './add-file.ts';
import { addReadLines } from './add-read-lines.ts';
import { toLine } from './add-to-batch.ts';
import { joinBatch } from './join-batch.ts';
import { lockOwnLines } from './lock-own-lines.ts';
import { readBatch } from './read-batch.ts';
import { deleteLine, deleteLines, writeLines } from './store.ts';

/** The customer's saved batch (docs/reference/calls.md). The orders module places it. */
export async function registerBatch(
  app: FastifyInstance,
  platform: Pick<Platform, 'config' | 'database' | 'clock'>,
): Promise<void> {
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
    const unread = await addReadLines(platform, actor, readBatchLines(text));
    return { data: await readBatch(db, config, actor.userId), unread };
  });

  await serveFile(app, addBatchFile, async ({ actor }, file) => {
    const read = await addFile(platform, actor, file);
    return { data: await readBatch(db, config, actor.userId), ...read };
  });

  serveCall(app, joinBatchCall, async ({ actor, body }) => {
    const left = await joinBatch(platform, actor, body);
    return { data: await readBatch(db, config, actor.userId), left };
  });
}
