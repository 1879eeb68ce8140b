import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import { readConfig as readPageConfig } from '@parts-forge/contract/identity';
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { registerIdentity } from './identity/routes.ts';
import { registerImages } from './images/routes.ts';
import { registerOrders } from './orders/routes.ts';
import { registerPages } from './pages/routes.ts';
import { registerPayments } from './payments/routes.ts';
import { describeCalls } from './platform/http/docs/docs.ts';
import { answerProblems, problemOf, sendProblem } from './platform/http/error-handler.ts';
import { limitRates, securityHeaders, setSecurityHeaders, shedLoad } from './platform/http/guards.ts';
import { knowPaths } from './platform/http/method-not-allowed.ts';
import { Problem } from './platform/http/problem.ts';
import { MAX_BODY_BYTES, serveCall } from './platform/http/serve-call.ts';
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
    // These come before any hook, so they bring the headers of every answer themselves.
    frameworkErrors: (error, request, reply) =>
      void sendProblem(reply.headers(securityHeaders), problemOf(error, request)),
    clientErrorHandler: refuseUnreadable,
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
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      // The identity service's session is a cookie.
      credentials: true,
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

  const refuseUnlessPage = (request: FastifyRequest) => {
    const [path = '/'] = request.url.split('?');
    paths.refuseWrongMethod(request.method, path);
    if (!wantsPage(request)) throw new Problem('not-found');
  };
  // Nobody is there to read a body for.
  app.addHook('onRequest', async (request) => {
    if (request.is404) refuseUnlessPage(request);
  });
  app.setNotFoundHandler((request, reply) => {
    refuseUnlessPage(request);
    return app.sendPage(request, reply);
  });
  return app;
}

const wantsPage = ({ method, headers: { accept = '' } }: FastifyRequest) =>
  /^(GET|HEAD)$/.test(method) && /text\/html(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accept);

/** What is no HTTP is refused in the same words as everything else; the connection ends with it. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const { body } = new Problem('bad-request', tooLarge ? { detail: 'The headers are too large' } : {});
  const text = JSON.stringify(tooLarge ? { ...body, status: 431 } : body);
  const headers = {
    ...securityHeaders,
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\n${lines.join('')}content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

/** Bodies are JSON (contract); no body at all is for the call to judge, whatever its declared kind. */
function takeJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
    const charset = /charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8';
    if (!/^utf-?8$/i.test(charset) || encoding !== 'identity') return done(new Problem('wrong-kind'));
    if (body.length === 0) return done(null, undefined);
    try {
      return parseJson(request, utf8.decode(body as Buffer), done);
    } catch {
      return done(new Problem('no-json'));
    }
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
