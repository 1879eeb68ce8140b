import { openUpload, takeUpload } from '@parts-forge/contract/images';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { ImageHost } from './host.ts';

export async function registerImages(app: FastifyInstance, images: ImageHost): Promise<void> {
  serveCall(app, openUpload, ({ actor, query }) => images.openUpload(actor, query.bytes));
  serveCall(app, takeUpload, async ({ actor, body }) => ({
    data: { url: await images.takeUpload(actor, body.key, app.takePlace) },
  }));
  await images.routes(app);
}
