import type { FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';

/** A host's name has 253 characters at most, and a port five. */
const MAX_HOST = 259;

/**
 * The shop's public origin; without `ORIGIN` it is that of the host that was asked.
 * @throws Problem `bad-request` for a host beyond the longest name
 */
export const resolveOrigin = (request: FastifyRequest, { origin }: Pick<Config, 'origin'>): string =>
  origin ?? `${request.protocol}://${sanitizeHost(request.headers.host ?? 'localhost')}`;

/** The Host header is whatever a client sends. */
function sanitizeHost(host: string): string {
  if (host.length > MAX_HOST) throw new Problem('bad-request');
  return host.replace(/[^\w.:[\]-]/g, '');
}
