import { idPattern } from '@parts-forge/contract/text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestContext } from '#src/platform/core/request-context.ts';
import { hasJustWritten as readHasJustWritten } from './cache/read-your-writes.ts';

/** Everything that is done and logged for a request carries its id and its actor. Register it before every other hook. */
export function setRequestContext(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // Of the page that makes this call inside the process; a request from outside has neither.
    const { dependencies, hasJustWritten = readHasJustWritten(request) } = requestContext.current();
    const context = { requestId: request.id, hasJustWritten };
    requestContext.run(dependencies ? { ...context, dependencies } : context, done);
  });
}

/**
 * A line for each write and each failure. It names the route in place of the path, whose parameters may be an address,
 * and never the query string, which may carry keys and secrets; an id is a parameter that says nothing by itself.
 */
export function logWrites(app: FastifyInstance): void {
  // Without a promise, which would cost each cached read more than the hook itself.
  app.addHook('onResponse', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && reply.statusCode < 500) return done();
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
    done();
  });
}

function readId({ params }: FastifyRequest): { id: string } | undefined {
  const { id } = (params ?? {}) as { id?: unknown };
  return typeof id === 'string' && idPattern.test(id) ? { id } : undefined;
}
