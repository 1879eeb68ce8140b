import { DOWNLOAD_SECONDS } from '@parts-forge/contract/bounds';
import { createDownload as createDownloadCall, DOWNLOAD_PATH } from '@parts-forge/contract/downloads';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { serveCall } from '#src/platform/http/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findUserById } from '#src/users/store.ts';
import { createDownload } from './create-download.ts';
import { openFile } from './open-file.ts';
import { requireReadable } from './require-readable.ts';
import { takeDownload } from './store.ts';

/** Lists that one process writes at a time: each keeps a reader waiting for rows, and rows in memory for a reader. */
const MAX_OPEN = 8;

export function registerDownloads(app: FastifyInstance, services: Platform): void {
  serveCall(app, createDownloadCall, async ({ actor, body }) => ({
    url: await createDownload(services, actor, body),
    expiresIn: DOWNLOAD_SECONDS,
  }));

  let open = 0;
  app.get<{ Params: { token: string } }>(
    DOWNLOAD_PATH,
    // Nobody asks for a head alone but to look ahead, which must not use the link up.
    { exposeHeadRoute: false, config: { longResponse: true } },
    async (request, reply) => {
      if (open >= MAX_OPEN) throw new Problem('overloaded', { retryAfterSeconds: 10 });
      open += 1;
      reply.raw.once('close', () => {
        open -= 1;
      });
      const file = await findFile(services, request.params.token);
      if (!file) return reply.callNotFound();
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .type(file.type)
        .send(file.content);
    },
  );
}

/** Null for a link that was used, is too old or was never given out, and for who may not have the file any more. */
async function findFile(services: Platform, token: string) {
  const { database, clock } = services;
  const download = await takeDownload(database.db, token, clock.now());
  const user = download && (await findUserById(database.db, download.userId));
  if (!download || !user) return null;
  const reader = { userId: user.id, email: user.email, role: user.role, lacksSecondFactor: false };
  const { request } = download;
  try {
    await requireReadable(database.db, reader, request);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
  services.log.info(
    { user: user.id, ...('order' in request ? { order: request.order } : {}), file: request.what },
    'a file is downloaded',
  );
  return openFile(services, reader, request);
}
