import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { endWithProblem, toRawProblem } from './raw-problem.ts';

export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // Browsers open connections ahead of requests: an unused one needs no response.
  const isSilent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || isSilent) return void socket.destroy();
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') endWithProblem(socket, new Problem('too-slow'));
  else if (error.code === 'HPE_HEADER_OVERFLOW') endWithProblem(socket, tooManyHeaders, 431);
  else endWithProblem(socket, new Problem('bad-request'));
}

const tooManyHeaders = new Problem('bad-request', { detail: 'The headers are too large' });

/**
 * Refuses an unknown `Expect` and HTTP/1.1 without exactly one Host (RFC 9112 §3.2): a proxy may have
 * trusted another. Needs `requireHostHeader: false`.
 */
export function refuseAmbiguous(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { httpVersion, headers, rawHeaders } }) => {
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length;
    const isMissing = headers.host === undefined && httpVersion === '1.1';
    if (isMissing || hosts > 1) throw new Problem('bad-request', { detail: 'There must be one Host header' });
  });
  app.server.on('checkExpectation', (_request, response) => {
    const problem = new Problem('bad-request', { detail: 'This expectation cannot be met' });
    const { status, headers, text } = toRawProblem(problem, 417);
    response.writeHead(status, headers).end(text);
  });
}

/**
 * URL parsers in pages and proxies rewrite such paths: one address would be cached under another's name.
 * PostgreSQL rejects null bytes. An origin before the path (RFC 9112 §3.2.2) is allowed; the Host header
 * still decides.
 */
export function refuseRewrittenPaths(app: FastifyInstance): void {
  app.addHook('onRequest', ({ url }, _reply, done) => {
    done(isPlainPath(readPath(url)) ? undefined : new Problem('not-found'));
  });
}

const readPath = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] || '/';

function isPlainPath(path: string): boolean {
  if (path.includes('//') || path.includes('%00')) return false;
  return new URL(`http://shop.invalid${path}`).pathname === path;
}
