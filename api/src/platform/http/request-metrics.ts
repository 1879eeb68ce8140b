import { problems } from '@parts-forge/contract/problems';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Histogram } from 'prom-client';
import type { Metrics } from '#src/platform/core/metrics.ts';
import { requestContext } from '#src/platform/core/request-context.ts';

/** Upper ends in seconds: a cached read takes a fraction of a millisecond, an upload may take a minute. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Counts the answers and how long they took, by the pattern of their route and never by the address itself, and the
 * refusals by their code. Register it before the routes. What the shop asks itself for a page is not counted, as nobody
 * sent it, and neither is what no route was looked for: requests that cannot be read.
 */
export function measureRequests(app: FastifyInstance, metrics: Metrics): FindSeries {
  const durations = metrics.histogram({
    name: 'shop_http_request_duration_seconds',
    help: 'Answers and the time that each took, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
  });
  const refusals = metrics.counter({
    name: 'shop_refusals_total',
    help: 'Refusals by their code (contract/src/problems.ts).',
    labelNames: ['reason'],
  });
  // A rise is seen only from a figure that was there before.
  for (const reason of Object.keys(problems)) refusals.inc({ reason }, 0);
  // What the shop asks itself for a page was not sent by anybody.
  const isOwnRequest = () => requestContext.current().dependencies !== undefined;
  const count = (measure: Measure, request: FastifyRequest, reply: FastifyReply) => {
    if (isOwnRequest()) return;
    measure(request, reply);
    if (reply.refusal !== null) refusals.inc({ reason: reply.refusal });
  };
  const routes = new Map<string, ReturnType<typeof findSeriesOf>>();
  // A hook of each route knows its pattern; Fastify would gather it anew for every request.
  app.addHook('onRoute', (route) => {
    // How long somebody listens says nothing of how long an answer took.
    if (route.config?.isStream) return;
    const findSeries = routes.get(route.url) ?? findSeriesOf(durations, route.url);
    routes.set(route.url, findSeries);
    const measure = measureRoute(findSeries);
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        count(measure, request, reply);
        done();
      },
    ];
  });
  const measureUnmatched = measureRoute(findSeriesOf(durations, 'unmatched'));
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) count(measureUnmatched, request, reply);
    done();
  });
  return (route, method, status) => routes.get(route)?.(method, status) ?? null;
}

type Durations = Histogram<'method' | 'route' | 'status'>;
/** Counts one more answer, which took so many seconds. */
type Observe = (seconds: number) => void;
/** For answers that are not the routes' own: the series of a route's answers with a method and a status. */
export type FindSeries = (route: string, method: string, status: number) => Observe | null;
type Measure = (request: FastifyRequest, reply: FastifyReply) => void;

/** The series of a route's answers with a method and a status. */
const findSeriesOf =
  (durations: Durations, route: string) =>
  (method: string, status: number): Observe => {
    const series = durations.labels({ method, route, status: String(status) });
    return (seconds) => series.observe(seconds);
  };

const measureRoute =
  (findSeries: ReturnType<typeof findSeriesOf>): Measure =>
  ({ method }, { statusCode, elapsedTime }) =>
    findSeries(method, statusCode)(elapsedTime / 1000);
