import { idPattern } from '@parts-forge/contract/text/text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestContext } from '#src/platform/core/request-context.ts';
import { hasJustWritten as readHasJustWritten } from './cache/read-your-writes.ts';

/** Register it before every other hook. */
export function setRequestContext(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // Set by a page's call inside the process.
    const { dependencies, hasJustWritten = readHasJustWritten(request) } = requestContext.current();
    const context = { requestId: request.id, hasJustWritten };
    requestContext.run(dependencies ? { ...context, dependencies } : context, done);
  });
}

/** Names the route: a path may hold an address, and a query may hold secrets. Ids alone reveal nothing. */
export function logWrites(app: FastifyInstance): void {
  // A promise would cost each cached read more than the hook itself.
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
