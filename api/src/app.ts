import cors from '@fastify/cors';
import { readConfig as readPageConfig } from '@parts-forge/contract/identity';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { answerProblems, problemOf, sendProblem } from './http/answer-problems.ts';
import { limitRates, setSecurityHeaders, shedLoad } from './http/guards.ts';
import { knowPaths } from './http/known-paths.ts';
import { describeCalls } from './http/openapi.ts';
import { Problem } from './http/problem.ts';
import { MAX_BODY_BYTES, serveCall } from './http/serve-call.ts';
import { registerIdentity } from './identity/routes.ts';
import { registerImages } from './images/routes.ts';
import { registerOrders } from './orders/routes.ts';
import { registerPages } from './pages/plugin.ts';
import { registerPayments } from './payments/routes.ts';
import { registerProducts } from './products/routes.ts';
import { registerReviews } from './reviews/routes.ts';
import type { Services } from './services.ts';
import { registerUsers } from './users/routes.ts';

/** The whole shop as one list: what guards it, what it answers. Not listening yet. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config } = services;
  const app = Fastify({
    loggerInstance: services.log,
    // Writes and failures are logged below; a line for every read would cost more than the read.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: (_address, hop) => hop < config.trustedProxies,
    routerOptions: { maxParamLength: 800 },
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void sendProblem(reply, problemOf(error, request)),
  });
  app.decorate('tokens', services.tokens);
  app.decorateRequest('actor', null);

  const paths = knowPaths(app);
  const descriptions = describeCalls(app);
  answerProblems(app);
  setSecurityHeaders(app);
  shedLoad(app);
  takeJsonOnly(app);
  logWrites(app);
  if (config.allowedOrigins.length > 0) {
    await app.register(cors, {
      origin: config.allowedOrigins,
      exposedHeaders: ['link', 'x-total-count', 'etag', 'retry-after'],
      maxAge: 600,
    });
  }
  await limitRates(app, config);

  registerProducts(app, services);
  registerOrders(app, services);
  await registerPayments(app, services);
  registerReviews(app, services);
  registerUsers(app, services);
  await registerIdentity(app, services);
  await registerImages(app, services);
  registerHealth(app, services);
  serveCall(app, readPageConfig, async () => ({
    identity: services.identity.pageConfig,
    payments: services.payments.pageConfig,
    images: services.images.pageConfig,
  }));
  await descriptions.serve();
  await registerPages(app, services);

  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = request.url.split('?');
    paths.refuseWrongMethod(request.method, path);
    const wantsPage = /^(GET|HEAD)$/.test(request.method) && request.headers.accept?.includes('text/html');
    return wantsPage ? app.sendPage(request, reply) : sendProblem(reply, new Problem('not-found'));
  });
  return app;
}

/** Bodies are JSON (contract); no body at all is for the call to judge, whatever its declared kind. */
function takeJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    return parseJson(request, body as string, done);
  });
}

/** Without query strings, which may carry keys and secrets. */
function logWrites(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && reply.statusCode < 500) return;
    const [path] = request.url.split('?');
    request.log.info(
      { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });
}

/** `/healthz`: the process lives. `/readyz`: database and identity answer. */
function registerHealth(app: FastifyInstance, { database, identity }: Services): void {
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ alive: true }),
  );
  app.get('/readyz', async (_request, reply) => {
    const [databaseReady, identityReady] = await Promise.all([
      database.pool.query('select 1').then(
        () => true,
        () => false,
      ),
      identity.isReady(),
    ]);
    if (!databaseReady || !identityReady) throw new Problem('unavailable', { retryAfterSeconds: 5 });
    return reply.header('cache-control', 'no-store').send({ database: true, identity: true });
  });
}
