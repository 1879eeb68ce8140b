import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { endWithProblem, toRawProblem } from './raw-problem.ts';

/** What is no HTTP, or does not arrive in time, is refused in the same words as everything else; the connection ends with it. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // Browsers open connections ahead of their requests: one that has asked nothing needs no answer.
  const isSilent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || isSilent) return void socket.destroy();
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') endWithProblem(socket, new Problem('too-slow'));
  else if (error.code === 'HPE_HEADER_OVERFLOW') endWithProblem(socket, tooManyHeaders, 431);
  else endWithProblem(socket, new Problem('bad-request'));
}

const tooManyHeaders = new Problem('bad-request', { detail: 'The headers are too large' });

/**
 * Refuses what Node would take, or refuse without a word: a request of HTTP/1.1 that has not exactly one Host
 * (RFC 9112 §3.2; of two, a proxy in front may have believed the other one), and an `Expect` that nobody knows.
 * The server is to be made with `requireHostHeader: false`.
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
 * Refuses paths that name something else after normalization: `.` and `..` segments, also encoded, backslashes, double
 * slashes, characters that have to be encoded. The router takes a path as it is written, while URL parsers, in the pages
 * and in proxies, rewrite it: they would render and cache one address under the name of another. Null bytes are refused,
 * too, as PostgreSQL takes no text with one.
 *
 * An origin before the path (RFC 9112 §3.2.2) is allowed; the Host header stays the one that counts.
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
