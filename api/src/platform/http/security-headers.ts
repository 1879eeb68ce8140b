import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isPublicHttps } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/** Contract, "Ground rules". Pages set their own content policy. */
export const commonHeaders = ({ id }: Pick<FastifyRequest, 'id'>) => ({
  ...securityHeaders,
  'x-request-id': id,
});

/**
 * HSTS for a year, for this host alone. A local address gets none, as it would bind every program on that
 * name.
 */
export const transportHeaders = (config: Pick<Config, 'origin'>): Record<string, string> =>
  isPublicHttps(config) ? { 'strict-transport-security': 'max-age=31536000' } : {};

export function setCommonHeaders(app: FastifyInstance, config: Pick<Config, 'origin'>): void {
  const headers = { ...securityHeaders, ...transportHeaders(config) };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
  });
}
