import type { FastifyInstance } from 'fastify';
import { requestContext } from '#src/platform/core/request-context.ts';

/** Everything that is done and logged for a request carries its id. Register it before every other hook. */
export function setRequestContext(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { dependencies } = requestContext.current();
    const context = { requestId: request.id };
    requestContext.run(dependencies ? { ...context, dependencies } : context, done);
  });
}

/** A line for each write and each failure, without query strings, which may carry keys and secrets. */
export function logWrites(app: FastifyInstance): void {
  // Without a promise, which would cost each cached read more than the hook itself.
  app.addHook('onResponse', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && reply.statusCode < 500) return done();
    const [path] = request.url.split('?');
    request.log.info(
      { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
    done();
  });
}
