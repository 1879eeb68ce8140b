import type { FastifyInstance, FastifyRequest } from 'fastify';

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

export function setCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('x-request-id', request.id);
  });
}
