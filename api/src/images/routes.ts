import { openUpload } from '@parts-forge/contract/products/images';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { ImageHost } from './host.ts';

export async function registerImages(app: FastifyInstance, images: ImageHost): Promise<void> {
  serveCall(app, openUpload, ({ actor }) => images.openUpload(actor));
  await images.routes(app);
}
