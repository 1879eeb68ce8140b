import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Has the routes of this scope take forms and nothing else. @param maxBytes above it 413 is the answer */
export function acceptForms(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    (_request, body, done) => done(null, body),
  );
}

/** The form of the body, still encoded; empty when there is none. */
export const readFormBody = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body : '');
