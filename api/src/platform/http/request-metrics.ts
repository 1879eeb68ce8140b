import { problems } from '@parts-forge/contract/calls/problems';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Histogram } from 'prom-client';
import type { Metrics } from '#src/platform/core/metrics.ts';
import { requestContext } from '#src/platform/core/request-context.ts';

/** In seconds, from a cached read to an upload. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Register it before the routes. Skips the shop's own calls and unreadable requests. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): FindSeries {
  const durations = metrics.histogram({
    name: 'shop_http_request_duration_seconds',
    help: 'Duration of requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
  });
  const refusals = metrics.counter({
    name: 'shop_refusals_total',
    help: 'Refusals by code.',
    labelNames: ['reason'],
  });
  // Prometheus sees an increase only from an existing figure.
  for (const reason of Object.keys(problems)) refusals.inc({ reason }, 0);
  const isOwnRequest = () => requestContext.current().dependencies !== undefined;
  const count = (measure: Measure, request: FastifyRequest, reply: FastifyReply) => {
    if (isOwnRequest()) return;
    measure(request, reply);
    if (reply.refusal !== null) refusals.inc({ reason: reply.refusal });
  };
  const routes = new Map<string, ReturnType<typeof findSeriesOf>>();
  // Each route's hook knows its pattern; Fastify would compute it for every request.
  app.addHook('onRoute', (route) => {
    // A stream's duration is not a response time.
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
type Observe = (seconds: number) => void;
export type FindSeries = (route: string, method: string, status: number) => Observe | null;
type Measure = (request: FastifyRequest, reply: FastifyReply) => void;

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
