import {
  addAliasFile as addAliasFileCall,
  listAliases,
  removeAlias,
  writeAlias as writeAliasCall,
} from '@parts-forge/contract/orders/aliases';
import {
  addBatchFile,
  addBatchLines,
  clearBatch,
  joinBatch as joinBatchCall,
  readBatch as readBatchCall,
  removeBatchLine,
  writeBatchLine,
  writeBatchLines,
} from '@parts-forge/contract/orders/batch';
import { readBatchLines } from '@parts-forge/contract/orders/batch-lines';
import type { FastifyInstance } from 'fastify';
import { actAs } from '#src/platform/http/calls/access.ts';
import { serveCall, serveFile, serveList } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { addAliasFile } from './add-alias-file.ts';
import { addFile } from './add-file.ts';
import { addList } from './add-list.ts';
import { deleteAlias, findAliases } from './aliases-store.ts';
import { joinBatch } from './join-batch.ts';
import { readBatch } from './read-batch.ts';
import { setQuantities } from './set-quantities.ts';
import { deleteParts, lockOwnLines } from './store.ts';
import { writeAlias } from './write-alias.ts';

/** The customer's saved batch (docs/reference/calls.md). The orders module places it. */
export async function registerBatch(
  app: FastifyInstance,
  platform: Pick<Platform, 'config' | 'database' | 'changes' | 'clock'>,
): Promise<void> {
  const { db } = platform.database;

  serveCall(app, readBatchCall, async ({ actor: { userId } }) => ({
    data: await readBatch(db, platform, userId),
  }));

  serveCall(app, writeBatchLine, async ({ actor, params: { productId }, body: { quantity } }) => {
    await setQuantities(platform, actor, [{ productId, quantity }]);
    return { data: await readBatch(db, platform, actor.userId) };
  });

  serveCall(app, writeBatchLines, async ({ actor, body: { lines } }) => {
    await setQuantities(platform, actor, lines);
    return { data: await readBatch(db, platform, actor.userId) };
  });

  serveCall(app, removeBatchLine, async ({ actor, params: { productId } }) => ({
    deletedCount: await actAs(platform.changes, actor, (tx) =>
      deleteParts(tx, actor.userId, [{ productId }]),
    ),
  }));

  serveCall(app, clearBatch, async ({ actor }) => ({
    deletedCount: await db.transaction(async (tx) =>
      deleteParts(tx, actor.userId, await lockOwnLines(tx, actor)),
    ),
  }));

  serveCall(app, addBatchLines, async ({ actor, query, body: { text } }) => {
    const { quantity = 0 } = query;
    const read = await addList(platform, actor, readBatchLines(text, quantity), quantity);
    return { data: await readBatch(db, platform, actor.userId), ...read };
  });

  await serveFile(app, addBatchFile, async ({ actor, query }, file) => {
    const read = await addFile(platform, actor, file, query.quantity ?? 0);
    return { data: await readBatch(db, platform, actor.userId), ...read };
  });

  serveCall(app, joinBatchCall, async ({ actor, body }) => {
    const left = await joinBatch(platform, actor, body);
    return { data: await readBatch(db, platform, actor.userId), left };
  });
}

/** The customer's own names of parts. */
export async function registerAliases(
  app: FastifyInstance,
  platform: Pick<Platform, 'database' | 'changes' | 'clock'>,
): Promise<void> {
  const { db } = platform.database;

  serveList(app, listAliases, ({ actor, query }) => findAliases(db, actor.userId, query));

  serveCall(app, writeAliasCall, async ({ actor, body }) => ({
    data: await writeAlias(platform, actor, body),
  }));

  serveCall(app, removeAlias, async ({ actor, query: { alias } }) => ({
    deletedCount: await actAs(platform.changes, actor, (tx) => deleteAlias(tx, actor.userId, alias)),
  }));

  await serveFile(app, addAliasFileCall, ({ actor }, file) => addAliasFile(platform, actor, file));
}
