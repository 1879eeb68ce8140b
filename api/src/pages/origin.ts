import type { FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';

/** A host name of 253 characters, a colon and a port. */
const MAX_HOST = 259;

/**
 * By default the requested host.
 * @throws Problem `bad-request` for a host beyond the longest name
 */
export const resolveOrigin = (request: FastifyRequest, { origin }: Pick<Config, 'origin'>): string =>
  origin ?? `${request.protocol}://${sanitizeHost(request.headers.host ?? 'localhost')}`;

/** Clients can send any Host header. */
function sanitizeHost(host: string): string {
  if (host.length > MAX_HOST) throw new Problem('bad-request');
  return host.replace(/[^\w.:[\]-]/g, '');
}
