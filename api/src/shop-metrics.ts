import type { Metrics } from './platform/core/metrics.ts';
import type { Database } from './platform/database/connection.ts';
import type { ResponseCache } from './platform/http/cache/response-cache.ts';
import { measureState } from './state-metrics.ts';

/** The shop's figures, besides those of requests, jobs and the payment provider. */
export function measureShop(
  { database }: { database: Database },
  metrics: Metrics,
  responses: ResponseCache,
): void {
  measureCache(metrics, responses);
  measurePool(metrics, database);
  measureState(metrics, database);
}

function measureCache(metrics: Metrics, { counts }: ResponseCache): void {
  const total = metrics.counter({
    name: 'shop_cache_responses_total',
    help: 'Public responses and pages by source: cached, stale (during an outage of the database), made.',
    labelNames: ['source'],
  });
  metrics.beforeReading(() => {
    total.reset();
    for (const [source, count] of Object.entries(counts)) total.inc({ source }, count);
  });
}

function measurePool(metrics: Metrics, { pool, counts }: Database): void {
  const connections = metrics.gauge({
    name: 'shop_database_connections',
    help: "Connections of this process's pool: busy, idle, max (the limit).",
    labelNames: ['state'],
  });
  const waiting = metrics.gauge({
    name: 'shop_database_waiting_requests',
    help: 'Requests that wait for a connection of the pool.',
  });
  const repeated = metrics.counter({
    name: 'shop_database_repeated_transactions_total',
    help: 'Transactions retried after a conflict or deadlock.',
  });
  metrics.beforeReading(() => {
    repeated.reset();
    repeated.inc(counts.repeated);
    connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'max' }, pool.options.max);
    waiting.set(pool.waitingCount);
  });
}
