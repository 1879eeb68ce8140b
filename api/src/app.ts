import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import { MAX_CURSOR, MAX_JSON_BYTES } from '@parts-forge/contract/calls/bounds';
import { readConfig as readPageConfig } from '@parts-forge/contract/people/identity';
import { modelPath, partPath } from '@parts-forge/contract/products/part-rules';
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { registerActivity } from './activity/routes.ts';
import { registerAliases, registerBatch } from './batch/routes.ts';
import { registerCatalogue } from './catalogue/routes.ts';
import { registerProof } from './consistency/routes.ts';
import { registerDownloads } from './downloads/routes.ts';
import { registerEvents } from './events/routes.ts';
import { registerIdentity } from './identity/routes.ts';
import { createSignIns } from './identity/sign-ins.ts';
import { orderPapers } from './invoices/order-papers.ts';
import { registerMail } from './mail/routes.ts';
import { registerOrders } from './orders/routes.ts';
import { findPayers, hasOrdered } from './orders/store.ts';
import { registerOverview } from './overview/routes.ts';
import { registerPages } from './pages/routes.ts';
import { toPageShop } from './pages/shop-files.ts';
import { createOrderPayments } from './payments/order-payments.ts';
import { registerPayments } from './payments/routes.ts';
import { isServedByOthers } from './platform/core/config/server.ts';
import type { Config } from './platform/core/config.ts';
import { Problem } from './platform/core/problem.ts';
import { requestContext } from './platform/core/request-context.ts';
import { assertTakesWrites, type Executor } from './platform/database/connection.ts';
import { acceptsHtml } from './platform/http/cache/content-negotiation.ts';
import { createFastPath, type FastPath } from './platform/http/cache/fast-path.ts';
import { markOwnWrites } from './platform/http/cache/read-your-writes.ts';
import { createResponseCache } from './platform/http/cache/response-cache.ts';
import { parseJsonOnly } from './platform/http/calls/json-body.ts';
import { serveCall } from './platform/http/calls/serve-call.ts';
import { describeCalls } from './platform/http/docs/docs.ts';
import { sendProblem, setErrorHandler, toProblem } from './platform/http/error-handler.ts';
import { createEventStreams } from './platform/http/events/event-streams.ts';
import { registerHealth } from './platform/http/health.ts';
import { createHttpServer } from './platform/http/http-server.ts';
import { cutForwardedPorts, trustHops } from './platform/http/limits/client-address.ts';
import { shedLoad } from './platform/http/limits/load-shedding.ts';
import { shareCounts } from './platform/http/limits/rate-counts.ts';
import { limitAddressRates } from './platform/http/limits/rate-limits.ts';
import { createPlaces, uploadPlaces } from './platform/http/limits/upload-places.ts';
import { collectRouteMethods, type RouteMethods } from './platform/http/method-not-allowed.ts';
import { registerMetrics } from './platform/http/metrics-route.ts';
import { logWrites, setRequestContext } from './platform/http/request-log.ts';
import { measureRequests } from './platform/http/request-metrics.ts';
import { commonHeaders, setCommonHeaders, transportHeaders } from './platform/http/security-headers.ts';
import {
  refuseAmbiguous,
  refuseRewrittenPaths,
  refuseUnreadable,
} from './platform/http/unreadable-request.ts';
import { registerPrices } from './prices/routes.ts';
import { registerProducts } from './products/routes.ts';
import { findModels, findNewestNames } from './products/store.ts';
import { registerReviews } from './reviews/routes.ts';
import type { Services } from './services.ts';
import { measureShop } from './shop-metrics.ts';
import { createUserRecords } from './user-records.ts';
import { registerUsers } from './users/routes.ts';
import { registerWebhooks } from './webhooks/routes.ts';
import { registerWishes } from './wishes/routes.ts';

/** Builds the server: guards first, then calls and pages. It does not listen yet. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, database, changes, tokens, identity, images, metrics } = services;
  const fastPath = createFastPath();
  const app = createServer(services, fastPath);
  app.decorate('tokens', tokens);
  const responses = createResponseCache(changes);
  app.decorate('responses', responses);
  app.decorate('takePlace', createPlaces(uploadPlaces));
  app.decorate('eventStreams', createEventStreams(app, config, metrics));
  app.decorateRequest('actor', null);

  const routeMethods = collectRouteMethods(app);
  const descriptions = describeCalls(app, config);
  setErrorHandler(app, config);
  setRequestContext(app);
  setCommonHeaders(app, config);
  markOwnWrites(app, config);
  refuseAmbiguous(app);
  const load = shedLoad(app, config);
  refuseRewrittenPaths(app);
  parseJsonOnly(app);
  logWrites(app);
  const findSeries = metrics && measureRequests(app, metrics);
  await allowOrigins(app, config);
  const createCount = isServedByOthers(config) ? shareCounts(database) : undefined;
  const limit = await limitAddressRates(app, config, createCount);
  fastPath.open(app, { responses, load, limit, findSeries });

  await registerDomains(app, services);
  servePageConfig(app, services);
  registerHealth(
    app,
    [
      { name: 'database', assertReady: () => assertTakesWrites(database) },
      { name: 'identity', assertReady: () => identity.assertReady() },
    ],
    () => (config.google ? { google: identity.pageConfig.google } : {}),
  );
  if (metrics && config.metricsToken) {
    measureShop(services, metrics, responses);
    registerMetrics(app, metrics, config.metricsToken);
  }
  descriptions.serve();
  await registerPages(app, services, {
    listPictureOrigins: () => images.listOrigins(),
    listPaths: (limit) => listPaths(database.db, limit),
  });
  answerUnknownPaths(app, routeMethods);
  return app;
}

/** The sitemap lists parts first, then phone models. */
async function listPaths(db: Executor, limit: number): Promise<string[]> {
  const parts = (await findNewestNames(db, limit)).map(partPath);
  const models = (await findModels(db)).map(modelPath);
  return [...parts, ...models].slice(0, limit);
}

function createServer({ config, log }: Services, fastPath: FastPath): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    // Writes and failures are logged below; a line for each read would cost more than the read.
    logController: new LogController({ disableRequestLogging: true }),
    // The request's id comes from its context, as in log lines outside the routes.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    bodyLimit: MAX_JSON_BYTES,
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    trustProxy: trustHops(config),
    routerOptions: { maxParamLength: MAX_CURSOR },
    serverFactory: (serve) => createHttpServer(config, cutForwardedPorts(config, fastPath.before(serve))),
    forceCloseConnections: 'idle',
    // Requests on a closing connection are still answered; the response announces the close.
    return503OnClosing: false,
    // These run before any hook, so they set the headers of every response themselves.
    frameworkErrors: (error, request, reply) =>
      requestContext.run({ requestId: request.id }, () => {
        reply.headers(commonHeaders(request)).headers(transportHeaders(config));
        sendProblem(reply, toProblem(error, request));
      }),
    clientErrorHandler: refuseUnreadable,
  });
}

/** Each domain's calls, with their dependencies on other domains. */
async function registerDomains(app: FastifyInstance, services: Services): Promise<void> {
  const { database, images } = services;
  registerProducts(app, services, {
    hasOrdered: (userId, productId) => hasOrdered(database.db, userId, productId),
    accept: images.accept,
  });
  await registerCatalogue(app, services, images.accept, services.importer);
  registerOrders(app, services, createOrderPayments(services), orderPapers);
  registerPrices(app, services);
  await registerBatch(app, services);
  await registerAliases(app, services);
  registerWishes(app, services);
  registerPayments(app, services);
  registerReviews(app, services, { findPayers });
  registerUsers(app, services, createSignIns(services), createUserRecords(services));
  await registerIdentity(app, services);
  registerOverview(app, services);
  registerProof(app, services);
  registerEvents(app, services);
  registerWebhooks(app, services);
  registerActivity(app, services);
  registerDownloads(app, services);
  registerMail(app, services);
  await images.routes(app);
}

/** The settings that the pages need. */
function servePageConfig(app: FastifyInstance, { config, identity, payments, images }: Services): void {
  serveCall(app, readPageConfig, async () => ({
    identity: identity.pageConfig,
    payments: payments.pageConfig,
    images: images.pageConfig,
    holdHours: config.holdMs === null ? null : config.holdMs / 3_600_000,
    contactEmail: config.seller.email,
    timeZone: config.timeZone,
    currency: config.currency,
    chargesTax: config.tax !== null,
    ...(config.tax && { taxPercent: config.tax.rate / 100 }),
    wishes: config.smtp !== null,
    shop: toPageShop(config),
    ...(!config.isDemoSeller && {
      seller: { name: config.seller.name, address: [...config.seller.address] },
    }),
  }));
}

/** `serve-call.ts` validates the calls. Fastify's own schema compilers are unused and load slowly. */
const refuseSchemas = () => () => {
  throw new Error(
    'A route with a schema of Fastify: calls are described in contract/ and served by serveCall.',
  );
};

/** Lets front ends on other origins make the calls (CORS). */
async function allowOrigins(app: FastifyInstance, { allowedOrigins }: Config): Promise<void> {
  if (allowedOrigins.length === 0) return;
  await app.register(cors, {
    origin: allowedOrigins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // The identity service's session is a cookie.
    credentials: true,
    exposedHeaders: ['link', 'x-total-count', 'x-match', 'etag', 'retry-after', 'x-request-id'],
    maxAge: 600,
  });
}

/**
 * Unknown paths: a page for callers that accept one, else a problem. A wrong method on a known path is
 * 405.
 */
function answerUnknownPaths(app: FastifyInstance, routeMethods: RouteMethods): void {
  const refuseUnlessPage = (request: FastifyRequest) => {
    routeMethods.refuseWrongMethod(request);
    if (!wantsPage(request)) throw new Problem('not-found');
  };
  // Refused before the body is read, as no route will take it.
  app.addHook('onRequest', async (request) => {
    if (request.is404) refuseUnlessPage(request);
    else routeMethods.refuseWrongMethod(request);
  });
  app.setNotFoundHandler((request, reply) => {
    refuseUnlessPage(request);
    return app.sendPage(request, reply);
  });
}

const wantsPage = ({ method, headers }: FastifyRequest) =>
  /^(GET|HEAD)$/.test(method) && acceptsHtml(headers);
