import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSandbox, type TestSandbox } from '#test/start-sandbox.ts';
import { signEvent } from './webhook-signature.ts';

interface Webhook {
  event: { id: string; type: string; data: { object: { id: string } } };
  body: string;
  signature: string;
}

let webhooks: Webhook[];
/** The status of the merchant's response. */
let answer: () => number;
let aheadMs: number;
let sandbox: TestSandbox;
const deliverEvent = async (body: string, signature: string) => {
  webhooks.push({ event: JSON.parse(body), body, signature });
  return answer();
};
const now = () => new Date(Date.now() + aheadMs);

beforeEach(async () => {
  webhooks = [];
  answer = () => 200;
  aheadMs = 0;
  sandbox = await startSandbox({ deliverEvent, now });
});
afterEach(() => sandbox.close());

const types = () => webhooks.map(({ event }) => event.type).sort();
const becomes = (read: () => unknown, expected: unknown) =>
  vi.waitFor(async () => expect(await read()).toEqual(expected), { timeout: 20_000, interval: 20 });
const countDeliveries = async () => (await sandbox.readControl()).deliveries.length;

/** Advances the clock. The empty change wakes the sandbox, which sleeps by the real clock. */
async function passTime(ms: number): Promise<void> {
  aheadMs += ms;
  await sandbox.changeControl({});
}

test('an event is delivered once, signed with the secret', async () => {
  const { id } = await sandbox.createIntent();
  await becomes(types, ['payment_intent.created']);
  const [webhook] = webhooks;
  expect(webhook?.event.data.object.id).toBe(id);
  const seconds = Number(/^t=(\d+),/.exec(webhook?.signature ?? '')?.[1]);
  expect(webhook?.signature).toBe(
    signEvent(webhook?.body ?? '', sandbox.webhookSecret, new Date(seconds * 1000)),
  );
  await becomes(countDeliveries, 0);
  const { events } = await sandbox.readControl();
  expect(events).toMatchObject([{ type: 'payment_intent.created', pending_webhooks: 0 }]);
});

test('a payment and its refund emit one event per step', async () => {
  const intent = await sandbox.createIntent();
  await sandbox.confirmIntent(intent, 'pm_card_chargeDeclined');
  await sandbox.confirmIntent(intent);
  await sandbox.callApi('/v1/refunds', { payment_intent: intent.id });
  await becomes(types, [
    'charge.refunded',
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.payment_failed',
    'payment_intent.succeeded',
    'refund.created',
  ]);
});

test('a rejected event is retried at growing intervals until it is accepted', async () => {
  const answers = [503, 0, 200];
  answer = () => {
    const status = answers.shift() ?? 200;
    if (status === 0) throw new Error('nobody answers');
    return status;
  };
  await sandbox.createIntent();
  await becomes(types, ['payment_intent.created']);
  await passTime(1_000);
  await becomes(() => webhooks.length, 2);
  await passTime(1_000);
  expect(await countDeliveries()).toBe(1);
  await passTime(4_000);
  await becomes(() => webhooks.length, 3);
  await becomes(countDeliveries, 0);
  expect(new Set(webhooks.map(({ body }) => body)).size).toBe(1);
});

test('the tenth failed attempt gives an event up', async () => {
  answer = () => 500;
  await sandbox.createIntent();
  await becomes(() => webhooks.length, 1);
  for (let attempts = 2; attempts <= 10; attempts += 1) {
    // The attempt has ended when its delivery waits for the next one.
    await becomes(
      async () => (await sandbox.readControl()).deliveries.map(({ tries }) => tries),
      [attempts - 1],
    );
    await passTime(24 * 3_600_000);
    await becomes(() => webhooks.length, attempts);
  }
  await becomes(countDeliveries, 0);
  const { events } = await sandbox.readControl();
  expect(events.map(({ pending_webhooks }) => pending_webhooks)).toEqual([1]);
  expect(sandbox.warnings.map(({ msg }) => msg)).toEqual(['a sandbox event was given up']);
});

test('events can be held, released, doubled, delayed and dropped', async () => {
  await sandbox.changeControl({ webhooks: 'hold' });
  await sandbox.createIntent();
  expect(await countDeliveries()).toBe(1);
  expect(webhooks).toEqual([]);
  await sandbox.changeControl({ webhooks: 'twice' });
  await becomes(types, ['payment_intent.created', 'payment_intent.created']);
  await becomes(countDeliveries, 0);

  await sandbox.changeControl({ webhooks: 'delay', delayMs: 60_000 });
  await sandbox.createIntent();
  await passTime(30_000);
  expect([await countDeliveries(), webhooks.length]).toEqual([1, 2]);
  await passTime(30_000);
  await becomes(() => webhooks.length, 3);
  await becomes(countDeliveries, 0);

  await sandbox.changeControl({ webhooks: 'drop' });
  await sandbox.createIntent();
  await becomes(countDeliveries, 0);
  expect(webhooks).toHaveLength(3);
});

test('the next process delivers the events of an ended one', async () => {
  await sandbox.changeControl({ webhooks: 'hold' });
  await sandbox.createIntent();
  const next = await startSandbox({ shareDatabaseWith: sandbox, deliverEvent, now });
  try {
    await sandbox.sandbox.close();
    await next.changeControl({ webhooks: 'deliver' });
    await becomes(types, ['payment_intent.created']);
  } finally {
    await next.close();
  }
});

test('several processes deliver each event only once', async () => {
  const other = await startSandbox({ shareDatabaseWith: sandbox, deliverEvent, now });
  try {
    await Promise.all([sandbox, other, sandbox, other].map((at) => at.createIntent()));
    await becomes(() => webhooks.length, 4);
    await becomes(countDeliveries, 0);
    expect(new Set(webhooks.map(({ event }) => event.id)).size).toBe(4);
    expect(webhooks).toHaveLength(4);
  } finally {
    await other.close();
  }
});
