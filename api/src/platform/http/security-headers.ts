import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isPublicHttps } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/**
 * Headers of every response (contract, "Ground rules"): security headers and the request id. Pages set
 * their own content policy.
 */
export const commonHeaders = ({ id }: Pick<FastifyRequest, 'id'>) => ({
  ...securityHeaders,
  'x-request-id': id,
});

/**
 * Browsers use only HTTPS for a public shop for a year, which prevents downgrade attacks. It covers this
 * host alone, not its subdomains. A local address gets no such header, as it would bind every program on
 * that name.
 */
export const transportHeaders = (config: Pick<Config, 'origin'>): Record<string, string> =>
  isPublicHttps(config) ? { 'strict-transport-security': 'max-age=31536000' } : {};

export function setCommonHeaders(app: FastifyInstance, config: Pick<Config, 'origin'>): void {
  const headers = { ...securityHeaders, ...transportHeaders(config) };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
  });
}
