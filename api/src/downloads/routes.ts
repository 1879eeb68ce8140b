import { DOWNLOAD_SECONDS } from '@parts-forge/contract/bounds';
import { createDownload as createDownloadCall, DOWNLOAD_PATH } from '@parts-forge/contract/downloads';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findUserById } from '#src/users/store.ts';
import { createDownload } from './create-download.ts';
import { openFile } from './open-file.ts';
import { createPlaces } from './places.ts';
import { requireReadable } from './require-readable.ts';
import { findDownloader, takeDownload } from './store.ts';

export function registerDownloads(app: FastifyInstance, services: Platform): void {
  const { database, clock } = services;
  serveCall(app, createDownloadCall, async ({ actor, body }) => ({
    url: await createDownload(services, actor, body),
    expiresIn: DOWNLOAD_SECONDS,
  }));

  const places = createPlaces();
  app.get<{ Params: { token: string } }>(
    DOWNLOAD_PATH,
    // Nobody asks for a head alone but to look ahead, which must not use the link up.
    { exposeHeadRoute: false, config: { longResponse: true } },
    async ({ params: { token } }, reply) => {
      const closed = awaitClose(reply);
      // Who is turned away can open the link again, so it is not used up before there is a place.
      const userId = await findDownloader(database.db, token, clock.now());
      if (userId === null) return reply.callNotFound();
      void closed.then(places.enter(userId));
      const hasGone = () => reply.raw.destroyed;
      const file = hasGone() ? null : await findFile(services, token, hasGone);
      // Nobody is there to be answered.
      if (hasGone()) return reply.hijack();
      if (!file) return reply.callNotFound();
      cutOffAfter(services.config.downloadTimeoutMs, reply, closed);
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .type(file.type)
        .send(file.content);
    },
  );
}

/** Resolves when the answer has gone, or its reader has. To be asked for before anything is waited for. */
const awaitClose = ({ raw }: FastifyReply): Promise<void> =>
  new Promise((resolve) => {
    raw.once('close', resolve);
  });

/** Whoever goes on taking a little of a file would keep its place for ever. */
function cutOffAfter(timeoutMs: number, { raw }: FastifyReply, closed: Promise<void>): void {
  const deadline = setTimeout(() => raw.destroy(), timeoutMs).unref();
  void closed.then(() => clearTimeout(deadline));
}

/**
 * Null for a link that was used, is too old or was never given out, for who may not have the file any more, and when the
 * reader has gone meanwhile.
 */
async function findFile(services: Platform, token: string, hasGone: () => boolean) {
  const { database, clock } = services;
  const download = await takeDownload(database.db, token, clock.now());
  const user = download && (await findUserById(database.db, download.userId));
  // In another role a person may see more, and would have had to sign in anew for some of it.
  if (!download || user?.role !== download.role) return null;
  const { request, role, lacksSecondFactor } = download;
  const reader = { userId: user.id, email: user.email, role, lacksSecondFactor };
  try {
    await requireReadable(database.db, reader, request);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
  if (hasGone()) return null;
  services.log.info(
    { user: user.id, ...('order' in request ? { order: request.order } : {}), file: request.what },
    'a file is downloaded',
  );
  return openFile(services, reader, request, hasGone);
}
