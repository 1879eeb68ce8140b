import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';

/** Bodies are JSON in UTF-8 (contract). The call itself judges an absent body. */
export function parseJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const charset = readCharset(request.headers['content-type']) ?? 'utf-8';
    if (!/^utf-?8$/i.test(charset)) return done(new Problem('wrong-kind'));
    if (body.length === 0) return done(null, undefined);
    try {
      return parseJson(request, utf8.decode(body as Buffer), done);
    } catch {
      return done(new Problem('no-json'));
    }
  });
}

export const readCharset = (contentType = ''): string | undefined =>
  /charset="?([^";\s]+)/i.exec(contentType)?.[1];

/** Nothing here is unpacked: a small body could become a large one. */
export const isEncoded = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  !/^(?:identity)?$/i.test(headers['content-encoding'] ?? '');

/** For a scope whose calls take files: megabytes of JSON would be parsed before their refusal. */
export function parseFiles(scope: FastifyInstance, types: readonly string[]): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...types], { parseAs: 'buffer' }, (_, body, done) => done(null, body));
}
