import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
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
    askAgainAndAgain(plan, requestMaker(plan.asking, plan.port, index), until, (askedAt, now) => {
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
function askAgainAndAgain(
  { port, asking }: LoadPlan,
  nextRequest: () => Buffer,
  until: number,
  answered: (askedAt: number, now: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const fail = (reason: string) => {
      socket.destroy();
      reject(new Error(reason));
    };
    const isKnown = asking.kind === 'read' && asking.etag !== undefined;
    const answers = wholeAnswers(socket, isKnown ? 304 : 200, fail);
    let askedAt = 0;
    const ask = () => {
      askedAt = performance.now();
      socket.write(nextRequest());
    };
    answers.onAnswer = () => {
      const now = performance.now();
      answered(askedAt, now);
      if (now < until) return ask();
      socket.removeAllListeners('close');
      socket.end(() => resolve());
    };
    socket.setTimeout(silenceMs, () => fail('A server said nothing for ten seconds.'));
    socket.on('error', (error) => fail(`A connection broke: ${error.message}`));
    socket.on('close', () => fail('A server closed a connection instead of answering.'));
    socket.once('connect', ask);
  });
}

/** By `Content-Length`; a 304 has none. */
function wholeAnswers(socket: Socket, status: number, fail: (reason: string) => void) {
  const answers = { onAnswer: () => {} };
  let head: Buffer | null = null;
  let missing = 0;
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) missing -= chunk.length;
    else {
      const begun: Buffer = head ? Buffer.concat([head, chunk]) : chunk;
      const end = begun.indexOf('\r\n\r\n');
      if (end < 0) {
        head = begun;
        return;
      }
      head = null;
      const text = begun.toString('latin1', 0, end);
      const length = status === 304 ? '0' : /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (!text.startsWith(`HTTP/1.1 ${status} `) || length === undefined) {
        return fail(`Not an answer to count:\n${begun.toString('utf8', 0, 1500)}`);
      }
      missing = end + 4 + Number(length) - begun.length;
    }
    if (missing < 0) return fail('A server sent more than it announced.');
    if (missing === 0) answers.onAnswer();
  });
  return answers;
}

function requestMaker(asking: Asking, port: number, connection: number): () => Buffer {
  const common = `Host: 127.0.0.1:${port}\r\nAccept-Encoding: br\r\n`;
  if (asking.kind === 'read') {
    const known = asking.etag === undefined ? '' : `If-None-Match: ${asking.etag}\r\n`;
    const always = Buffer.from(`GET ${asking.path} HTTP/1.1\r\n${common}Accept: */*\r\n${known}\r\n`);
    return () => always;
  }
  const { customers, productIds, order, readsProduct } = asking;
  const customer = customers[connection % customers.length];
  if (!customer) throw new Error('There is nobody to order.');
  const { token, email, name } = customer;
  const headers =
    `POST /order HTTP/1.1\r\n${common}Accept: application/json\r\nContent-Type: application/json\r\n` +
    `Authorization: Bearer ${token}\r\n`;
  let productId: string | undefined;
  let isOrderNext = true;
  return () => {
    isOrderNext = !readsProduct || !isOrderNext;
    if (!readsProduct || !isOrderNext) productId = productIds[Math.floor(Math.random() * productIds.length)];
    if (!isOrderNext)
      return Buffer.from(`GET /product/${productId} HTTP/1.1\r\n${common}Accept: */*\r\n\r\n`);
    const body = JSON.stringify({ ...order, email, name, productId });
    const length = Buffer.byteLength(body);
    return Buffer.from(
      `${headers}Idempotency-Key: ${randomUUID()}\r\nContent-Length: ${length}\r\n\r\n${body}`,
    );
  };
}
