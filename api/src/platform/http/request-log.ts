import { idPattern } from '@parts-forge/contract/text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RequestContext, requestContext } from '#src/platform/core/request-context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}

/**
 * Everything that is done and logged for a request carries its id and its actor. Register it before every other hook.
 *
 * The context is entered anew wherever an event of the connection goes on with the request: a body that comes in a
 * packet of its own, and the end of the answer. Such events belong to the connection, which knows nothing of it.
 */
export function setRequestContext(app: FastifyInstance): void {
  app.decorateRequest('context');
  app.addHook('onRequest', (request, _reply, done) => {
    const { dependencies } = requestContext.current();
    const context = { requestId: request.id };
    request.context = dependencies ? { ...context, dependencies } : context;
    requestContext.run(request.context, done);
  });
  const enter = (request: FastifyRequest, _reply: unknown, done: () => void) =>
    requestContext.run(request.context, done);
  app.addHook('preValidation', enter);
  app.addHook('onResponse', enter);
}

/**
 * A line for each write and each failure. It names the route in place of the path, whose parameters may be an address,
 * and never the query string, which may carry keys and secrets; an id is a parameter that says nothing by itself.
 */
export function logWrites(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && reply.statusCode < 500) return;
    request.log.info(
      {
        method: request.method,
        path: request.routeOptions.url ?? 'no route',
        ...readId(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });
}

function readId({ params }: FastifyRequest): { id: string } | undefined {
  const { id } = (params ?? {}) as { id?: unknown };
  return typeof id === 'string' && idPattern.test(id) ? { id } : undefined;
}
