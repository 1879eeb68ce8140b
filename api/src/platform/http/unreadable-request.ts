import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { commonHeaders } from './security-headers.ts';

/** What is no HTTP is refused in the same words as everything else; the connection ends with it. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const { body } = new Problem('bad-request', tooLarge ? { detail: 'The headers are too large' } : {});
  const text = JSON.stringify(tooLarge ? { ...body, status: 431 } : body);
  const headers = {
    ...commonHeaders({ id: randomUUID() }),
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\n${lines.join('')}content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

/** Nothing has a name with a null byte in it, and PostgreSQL takes no text with one. */
export function refuseNullBytes(app: FastifyInstance): void {
  app.addHook('onRequest', ({ url }, _reply, done) => {
    done(/^[^?]*%00/.test(url) ? new Problem('not-found') : undefined);
  });
}
