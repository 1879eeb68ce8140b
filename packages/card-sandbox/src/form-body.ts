import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Larger bodies get 413. */
export function acceptForms(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    (_request, body, done) => done(null, body),
  );
}

/** Still encoded; empty without a form. */
export const readFormBody = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body : '');
