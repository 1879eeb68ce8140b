import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Form, parseForm } from './form-encoding.ts';

/** Has the routes of this scope take forms and nothing else. @param maxBytes above it 413 is the answer */
export function acceptForms(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    (_request, body, done) => done(null, body),
  );
}

/** The form of the body; empty when there is none. @throws ApiError */
export const parseFormBody = ({ body }: FastifyRequest): Form =>
  parseForm(typeof body === 'string' ? body : '');
