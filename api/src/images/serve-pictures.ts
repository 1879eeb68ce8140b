import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { readPicture, readPictureType } from './picture-files.ts';

/** Not rate-limited: a page of parts requests dozens at once. */
export function registerPictures(app: FastifyInstance, folder: string): void {
  app.get<{ Params: { file: string } }>(
    '/images/:file',
    { config: { rateLimit: false } },
    async (request, reply) => {
      const { file } = request.params;
      const type = readPictureType(file);
      if (!type) return reply.callNotFound();
      const bytes = await readPicture(folder, file);
      if (!bytes) throw new Problem('not-found');
      return reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(bytes);
    },
  );
}
