import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Problem } from '#src/platform/core/problem.ts';
import { STATUS_CODES } from './node-http.ts';
import { commonHeaders } from './security-headers.ts';

/**
 * The connection ends.
 * @param status a more precise HTTP status than the problem's own
 */
export function toRawProblem(
  problem: Problem,
  status = problem.status,
): { status: number; headers: Record<string, string>; text: string } {
  const requestId = randomUUID();
  const { retryAfterSeconds } = problem.extras;
  const text = JSON.stringify({ ...problem.body, status, ...(status >= 500 && { requestId }) });
  const headers = {
    ...commonHeaders({ id: requestId }),
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(text)),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    connection: 'close',
  };
  return { status, headers, text };
}

export function endWithProblem(socket: Socket, problem: Problem, ownStatus?: number): void {
  const { status, headers, text } = toRawProblem(problem, ownStatus);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}
