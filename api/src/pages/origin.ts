import type { FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';

/** The shop's public origin; without `ORIGIN` it is that of the host that was asked. */
export const resolveOrigin = (request: FastifyRequest, { origin }: Pick<Config, 'origin'>): string =>
  origin ?? `${request.protocol}://${sanitizeHost(request.headers.host ?? 'localhost')}`;

/** The Host header is whatever a client sends. */
const sanitizeHost = (host: string) => host.replace(/[^\w.:[\]-]/g, '');
