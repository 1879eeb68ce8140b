import { randomUUID } from 'node:crypto';
import { Client, type Dispatcher } from 'undici';
import type { Asking, LoadPlan, LoadResult } from './load.ts';

// Ends with its parent.
process.on('message', (plan: LoadPlan) => {
  run(plan).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit());

/** Above any server's time for a response. */
const silenceMs = 10_000;

async function run(plan: LoadPlan): Promise<LoadResult> {
  const from = performance.now() + plan.warmUpMs;
  const until = from + plan.measuredMs;
  const durationsMs: number[] = [];
  const usedBefore = process.cpuUsage();
  const begun = performance.now();
  const connections = Array.from({ length: plan.connections }, (_, index) =>
    askAgainAndAgain(plan, requestMaker(plan.asking, index), until, (askedAt, now) => {
      if (now >= from && now <= until) durationsMs.push(now - askedAt);
    }),
  );
  await Promise.all(connections);
  const used = process.cpuUsage(usedBefore);
  const sorted = Float64Array.from(durationsMs).sort();
  const percentile = (share: number) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(2));
  return {
    answers: sorted.length,
    perSecond: sorted.length / (plan.measuredMs / 1000),
    medianMs: percentile(0.5),
    percentile99Ms: percentile(0.99),
    generatorBusy: Number(((used.user + used.system) / 1000 / (performance.now() - begun)).toFixed(2)),
  };
}

/** Keep-alive, one request after the other. */
async function askAgainAndAgain(
  { port, asking }: LoadPlan,
  nextRequest: () => Dispatcher.RequestOptions,
  until: number,
  answered: (askedAt: number, now: number) => void,
): Promise<void> {
  const expected = asking.kind === 'read' && asking.etag !== undefined ? 304 : 200;
  const client = new Client(`http://127.0.0.1:${port}`, {
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  let connected = 0;
  client.on('connect', () => {
    connected += 1;
  });
  try {
    for (let now = performance.now(); now < until; ) {
      const askedAt = now;
      const { statusCode, body } = await client.request(nextRequest());
      if (statusCode !== expected)
        throw new Error(`Not an answer to count: ${statusCode} ${(await body.text()).slice(0, 1500)}`);
      await body.dump({ limit: Number.POSITIVE_INFINITY });
      now = performance.now();
      answered(askedAt, now);
    }
    if (connected > 1) throw new Error('A server closed a connection.');
  } finally {
    await client.destroy();
  }
}

function requestMaker(asking: Asking, connection: number): () => Dispatcher.RequestOptions {
  const read = (path: string, etag?: string) => ({
    method: 'GET' as const,
    path,
    headers: { 'Accept-Encoding': 'br', Accept: '*/*', ...(etag && { 'If-None-Match': etag }) },
  });
  if (asking.kind === 'read') {
    const always = read(asking.path, asking.etag);
    return () => always;
  }
  const { customers, productIds, order, readsProduct } = asking;
  const customer = customers[connection % customers.length];
  if (!customer) throw new Error('There is nobody to order.');
  const { token, email, name } = customer;
  const headers = {
    'Accept-Encoding': 'br',
    Accept: 'application/json',
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
  };
  let productId: string | undefined;
  let isOrderNext = true;
  return () => {
    isOrderNext = !readsProduct || !isOrderNext;
    if (!readsProduct || !isOrderNext) productId = productIds[Math.floor(Math.random() * productIds.length)];
    if (!isOrderNext) return read(`/product/${productId}`);
    return {
      method: 'POST',
      path: '/order',
      headers: { ...headers, 'Idempotency-Key': randomUUID() },
      body: JSON.stringify({ ...order, email, name, productId }),
    };
  };
}
