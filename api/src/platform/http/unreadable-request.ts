import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { commonHeaders } from './security-headers.ts';

/** What is no HTTP is refused in the same words as everything else; the connection ends with it. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const { headers, text } = tooLarge ? refuse(431, 'The headers are too large') : refuse(400);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${text}`);
}

/** The problem `bad-request` for what never comes as far as the routes. */
function refuse(status: number, detail?: string) {
  const { body } = new Problem('bad-request', detail ? { detail } : {});
  const text = JSON.stringify({ ...body, status });
  const headers = {
    ...commonHeaders({ id: randomUUID() }),
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  return { headers, text };
}

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
    const { headers, text } = refuse(417, 'This expectation cannot be met');
    response.writeHead(417, headers).end(text);
  });
}

/** Nothing has a name with a null byte in it, and PostgreSQL takes no text with one. */
export function refuseNullBytes(app: FastifyInstance): void {
  app.addHook('onRequest', ({ url }, _reply, done) => {
    done(/^[^?]*%00/.test(url) ? new Problem('not-found') : undefined);
  });
}
