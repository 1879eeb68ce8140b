import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isPublicHttps } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/**
 * Headers of every answer (contract, "Ground rules"): those that keep browsers careful, and the request's id. Pages
 * put a content policy of their own in place of this one.
 */
export const commonHeaders = ({ id }: Pick<FastifyRequest, 'id'>) => ({
  ...securityHeaders,
  'x-request-id': id,
});

/**
 * For a year browsers ask a public shop for https alone, so that nobody between them and it can keep them on http.
 * Only for this very host: what else runs below it is not the shop's to decide. A local address gets no such promise,
 * as the browser would hold every other program on that name to it.
 */
export const transportHeaders = (config: Pick<Config, 'origin'>): Record<string, string> =>
  isPublicHttps(config) ? { 'strict-transport-security': 'max-age=31536000' } : {};

export function setCommonHeaders(app: FastifyInstance, config: Pick<Config, 'origin'>): void {
  const headers = { ...securityHeaders, ...transportHeaders(config) };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
  });
}
