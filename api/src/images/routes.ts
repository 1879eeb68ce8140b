import { openUpload } from '@parts-forge/contract/images';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '#src/platform/http/serve-call.ts';
import type { Services } from '#src/services.ts';

export async function registerImages(app: FastifyInstance, { images }: Services): Promise<void> {
  serveCall(app, openUpload, ({ actor }) => images.openUpload(actor));
  await images.routes?.(app);
}
