import { DOWNLOAD_SECONDS } from '@parts-forge/contract/calls/bounds';
import { createDownload as createDownloadCall, DOWNLOAD_PATH } from '@parts-forge/contract/files/downloads';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findUserById } from '#src/users/store.ts';
import { createDownload } from './create-download.ts';
import { openFile } from './open-file.ts';
import { createPlaces } from './places.ts';
import { registerPriceList } from './price-list.ts';
import { requireReadable } from './require-readable.ts';
import { type Download, findDownloader, insertDownload, takeDownload } from './store.ts';

export function registerDownloads(app: FastifyInstance, services: Platform): void {
  const { database, clock } = services;
  registerPriceList(app, services);
  serveCall(app, createDownloadCall, async ({ actor, body }) => ({
    url: await createDownload(services, actor, body),
    expiresIn: DOWNLOAD_SECONDS,
  }));

  const places = createPlaces();
  app.get<{ Params: { token: string } }>(
    DOWNLOAD_PATH,
    // Previews send HEAD, which must not use up the link.
    { exposeHeadRoute: false, config: { longResponse: true } },
    async ({ params: { token } }, reply) => {
      const closed = awaitClose(reply);
      // The link stays unused until a place is free, so that the reader can retry.
      const userId = await findDownloader(database.db, token, clock.now());
      if (userId === null) return reply.callNotFound();
      void closed.then(places.enter(userId));
      const hasGone = () => reply.raw.destroyed;
      const download = hasGone() ? null : await takeDownload(database.db, token, clock.now());
      if (download) void closed.then(() => returnUnlessUsed(services, download, reply));
      const file = download && (await findFile(app, services, download, hasGone));
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

/** Previews, ranges and broken connections give no whole file. */
async function returnUnlessUsed(services: Platform, download: Download, reply: FastifyReply) {
  const { range, purpose, 'sec-purpose': secPurpose = purpose } = reply.request.headers;
  const isWhole = range === undefined && secPurpose === undefined && reply.raw.writableFinished;
  if (isWhole && reply.statusCode === 200) return;
  await insertDownload(services.database.db, download).catch((error: unknown) =>
    services.log.warn({ err: error }, 'an unused download link was lost'),
  );
}

/** Resolves when the response ends or the reader disconnects. Call it before the first await. */
const awaitClose = ({ raw }: FastifyReply): Promise<void> =>
  new Promise((resolve) => {
    raw.once('close', resolve);
  });

/** A slow reader would keep a place for ever. */
function cutOffAfter(timeoutMs: number, { raw }: FastifyReply, closed: Promise<void>): void {
  const deadline = setTimeout(() => raw.destroy(), timeoutMs).unref();
  void closed.then(() => clearTimeout(deadline));
}

/** Null without permission, after its key's end, or after the reader disconnected. */
async function findFile(
  { tokens }: FastifyInstance,
  services: Platform,
  download: Download,
  hasGone: () => boolean,
) {
  const { database } = services;
  const { keyId } = download;
  const scopes = keyId === null ? [] : await tokens.findScopes(keyId);
  const user = await findUserById(database.db, download.userId);
  // A new role may see more or need a new sign-in.
  if (user?.role !== download.role || scopes === null) return null;
  const { request, role, lacksSecondFactor } = download;
  const key = keyId === null ? null : { id: keyId, scopes };
  const reader = { userId: user.id, email: user.email, role, lacksSecondFactor, key };
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
