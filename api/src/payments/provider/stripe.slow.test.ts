import { buildPaymentIntent } from '@parts-forge/card-sandbox/stripe-objects';
import { signEvent } from '@parts-forge/card-sandbox/webhook-signature';
import { describe, expect, test, vi } from 'vitest';
import type { Problem } from '#src/platform/core/problem.ts';
import type { NewPayment } from './provider.ts';
import { createStripeProvider } from './stripe.ts';

interface Seen {
  method: string;
  url: string;
  body: string;
  headers: Headers;
}

/** A provider whose Stripe gives these answers in turn, then repeats the last one. */
function withAnswers(answers: (Response | Error)[], key = 'sk_test_x') {
  const seen: Seen[] = [];
  const provider = createStripeProvider({
    secretKey: key,
    publishableKey: 'pk_test_x',
    webhookSecrets: ['whsec_new', 'whsec_old'],
    mode: 'stripe',
    scriptUrl: null,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: await request.text() });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (!answer || answer instanceof Error) throw answer ?? new Error('no answer');
      return answer.clone();
    },
  });
  return { provider, seen };
}

const json = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const refusal = (status: number, error: object) => json({ error: { message: 'no', ...error } }, status);

const anIntent = () =>
  buildPaymentIntent({
    amount: 113943,
    currency: 'usd',
    description: null,
    metadata: { orderId: 'o', shop: 's' },
    now: new Date(),
  });

const payment: NewPayment = {
  orders: [{ id: 'o', attempt: 3 }],
  shop: 's',
  amountCents: 113943,
  currency: 'usd',
  description: '57 × Display',
};

test("a payment is for cards, with the order's data and key", async () => {
  const { provider, seen } = withAnswers([json(anIntent())]);
  const made = await provider.createPayment(payment);
  expect(made).toMatchObject({
    amountCents: 113943,
    status: 'requires_payment_method',
    orderIds: ['o'],
    shop: 's',
  });
  const [request] = seen;
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    amount: '113943',
    currency: 'usd',
    'allowed_payment_method_types[0]': 'card',
    description: '57 × Display',
    'metadata[orderId]': 'o',
    'metadata[shop]': 's',
    'metadata[attempt]': '3',
  });
  expect(request?.headers.get('idempotency-key')).toBe('pi:s:o:3');
  expect(request?.headers.get('authorization')).toBe('Bearer sk_test_x');
  expect(request?.headers.get('stripe-version')).toBe('2026-10-28.endive');
});

test('each cancel has its own key', async () => {
  const canceled = { ...anIntent(), status: 'canceled' };
  const { provider, seen } = withAnswers([json(canceled)]);
  await provider.cancelPayment(canceled.id);
  await provider.cancelPayment(canceled.id);
  const keys = seen.map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(2);
});

test('an unknown payment is null', async () => {
  const { provider } = withAnswers([
    refusal(404, { type: 'invalid_request_error', code: 'resource_missing' }),
  ]);
  expect(await provider.findPayment('pi_unknown')).toBeNull();
});

test('a missing answer and a busy provider are `unreachable`', async () => {
  const lost = withAnswers([Object.assign(new TypeError('x'), { code: 'ECONNRESET' })]);
  await expect(lost.provider.createPayment(payment)).rejects.toMatchObject({ kind: 'unreachable' });
  expect(lost.seen).toHaveLength(3);
  expect(new Set(lost.seen.map(({ headers }) => headers.get('idempotency-key')))).toEqual(
    new Set(['pi:s:o:3']),
  );
  const held = withAnswers([refusal(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' })]);
  await expect(held.provider.createPayment(payment)).rejects.toMatchObject({ kind: 'unreachable' });
  const busy = withAnswers([refusal(429, { type: 'invalid_request_error', code: 'lock_timeout' })]);
  await expect(busy.provider.createPayment(payment)).rejects.toMatchObject({ kind: 'unreachable' });
});

test('a silent provider is given up within 20 seconds', async () => {
  const tries: (string | null)[] = [];
  const provider = createStripeProvider({
    secretKey: 'sk_test_x',
    publishableKey: 'pk_test_x',
    webhookSecrets: [],
    mode: 'stripe',
    scriptUrl: null,
    fetch: (_input, init) => {
      tries.push(new Headers(init?.headers).get('idempotency-key'));
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    },
  });
  // Loading the SDK takes real time.
  await provider.readEvent(Buffer.from(''), undefined).catch(() => {});
  vi.useFakeTimers();
  try {
    const outcome = provider.createPayment(payment).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await outcome).toMatchObject({ kind: 'unreachable' });
    expect(tries).toEqual(['pi:s:o:3', 'pi:s:o:3', 'pi:s:o:3']);
  } finally {
    vi.useRealTimers();
  }
});

test('refusals are `refused`, failures and reused keys `broken`', async () => {
  const kinds: [Response, string][] = [
    [refusal(400, { type: 'invalid_request_error', code: 'amount_too_large' }), 'refused'],
    [refusal(402, { type: 'card_error', code: 'card_declined' }), 'refused'],
    [refusal(500, { type: 'api_error' }), 'broken'],
    [refusal(400, { type: 'idempotency_error' }), 'broken'],
    [refusal(401, { type: 'invalid_request_error' }), 'broken'],
    [new Response('<html>bad gateway</html>', { status: 502 }), 'broken'],
  ];
  for (const [answer, kind] of kinds) {
    await expect(withAnswers([answer]).provider.createPayment(payment)).rejects.toMatchObject({ kind });
  }
}, 30_000);

test('a malformed or foreign answer is rejected', async () => {
  const odd = [
    {},
    { ...anIntent(), object: 'charge' },
    { ...anIntent(), id: 'ch_1' },
    { ...anIntent(), id: 'pi_another_one' },
    { ...anIntent(), livemode: true },
    { ...anIntent(), status: 'paid' },
    { ...anIntent(), amount: '113943' },
  ];
  for (const answer of odd) {
    const { provider } = withAnswers([json(answer)]);
    await expect(provider.findPayment('pi_asked_for')).rejects.toMatchObject({ kind: 'broken' });
  }
});

test('cancelling a payment that succeeded returns it', async () => {
  const intent = anIntent();
  const charge = { object: 'charge', refunded: false, amount_refunded: 0, disputed: true };
  const paid = { ...intent, status: 'succeeded', amount_received: 113943, latest_charge: charge };
  const { provider } = withAnswers([
    refusal(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }),
    json(paid),
  ]);
  expect(await provider.cancelPayment(intent.id)).toMatchObject({
    status: 'succeeded',
    receivedCents: 113943,
    refundedCents: 0,
    disputed: true,
  });
});

test('refunding an already refunded charge returns null', async () => {
  const { provider } = withAnswers([
    refusal(400, { type: 'invalid_request_error', code: 'charge_already_refunded' }),
  ]);
  const refund = { paymentId: 'pi_1', amountCents: 100, refundId: 'r', shop: 's', attempt: 1 };
  expect(await provider.createRefund(refund)).toBeNull();
});

test('an event needs a recent signature by a known secret', async () => {
  const { provider } = withAnswers([]);
  const body = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'charge.refunded',
    data: { object: { object: 'charge', id: 'ch_1', payment_intent: 'pi_1' } },
  });
  const raw = Buffer.from(body);
  const now = new Date();
  for (const secret of ['whsec_new', 'whsec_old']) {
    expect(await provider.readEvent(raw, signEvent(body, secret, now))).toEqual({
      id: 'evt_1',
      type: 'charge.refunded',
      paymentId: 'pi_1',
      createdAt: null,
    });
  }
  const old = new Date(now.getTime() - 301_000);
  const bad = [undefined, '', signEvent(body, 'whsec_other', now), signEvent(body, 'whsec_new', old)];
  for (const signature of bad) {
    const refused = await provider.readEvent(raw, signature).catch((error: Problem) => error.code);
    expect(refused).toBe('bad-signature');
  }
});

test('a thin event is a bad request, not a bad signature', async () => {
  const { provider } = withAnswers([]);
  const body = JSON.stringify({ id: 'evt_1', object: 'v2.core.event', type: 'v1.charge.refunded' });
  const read = provider.readEvent(Buffer.from(body), signEvent(body, 'whsec_new', new Date()));
  await expect(read).rejects.toMatchObject({ code: 'bad-request' });
});

test('a 404 without a code also means an unknown payment', async () => {
  for (const error of [
    { type: 'invalid_request_error', code: 'resource_missing' },
    { type: 'invalid_request_error' },
  ]) {
    const { provider } = withAnswers([refusal(404, error)]);
    expect(await provider.findPayment('pi_1')).toBeNull();
    expect(await provider.listDisputes('pi_1')).toEqual([]);
    expect(await provider.listEvents(new Date(), ['charge.refunded'])).toBeNull();
  }
  const { provider } = withAnswers([json({ message: 'Not Found' }, 404)]);
  expect(await provider.listRefunds('pi_1')).toEqual([]);
});

test('a restricted key works without the lists', async () => {
  const { provider } = withAnswers([refusal(403, { type: 'invalid_request_error' })]);
  expect(await provider.listDisputes('pi_1')).toEqual([]);
  expect(await provider.listEvents(new Date(), ['charge.refunded'])).toBeNull();
  await expect(provider.findPayment('pi_1')).rejects.toMatchObject({ name: 'ProviderError' });
});

test('equal parts of one order have different keys', async () => {
  const keys: (string | null | undefined)[] = [];
  for (const refundId of ['r-1', 'r-2']) {
    const answer = { id: 're_1', object: 'refund', amount: 100, status: 'succeeded', metadata: { refundId } };
    const { provider, seen } = withAnswers([json(answer)]);
    await provider.createRefund({ paymentId: 'pi_1', amountCents: 100, refundId, shop: 's', attempt: 1 });
    keys.push(seen[0]?.headers.get('idempotency-key'));
  }
  expect(keys).toEqual(['refund:s:r-1:1', 'refund:s:r-2:1']);
});

test('a refund has its amount, its own key and a status', async () => {
  const asked = { paymentId: 'pi_1', amountCents: 100, refundId: 'r-1', shop: 's', attempt: 2 };
  const statuses = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled', 'something new'];
  const states: string[] = [];
  for (const status of statuses) {
    const answer = { id: 're_1', object: 'refund', amount: 100, status, metadata: { refundId: 'r-1' } };
    const { provider, seen } = withAnswers([json(answer)]);
    const refund = await provider.createRefund(asked);
    expect(refund).toMatchObject({ id: 're_1', amountCents: 100, refundId: 'r-1' });
    states.push(refund?.state ?? '');
    expect(seen[0]?.headers.get('idempotency-key')).toBe('refund:s:r-1:2');
    expect(new URLSearchParams(seen[0]?.body).get('amount')).toBe('100');
  }
  expect(states).toEqual(['pending', 'pending', 'succeeded', 'failed', 'failed', 'pending']);
});

describe('a dispute', () => {
  const isMoved = (...amounts: number[]) =>
    amounts.map((amount, index) => ({ amount, currency: 'usd', created: index }));
  const places = { unmoved: isMoved(), away: isMoved(-500), back: isMoved(-500, 500) };
  const read = async (dispute: object) => {
    const data = [{ id: 'dp_1', amount: 500, currency: 'usd', payment_intent: 'pi_1', ...dispute }];
    const { provider } = withAnswers([json({ object: 'list', data, has_more: false })]);
    const [first] = await provider.listDisputes('pi_1');
    return first;
  };

  test.each([
    // status, nothing moved, money away, money back
    ['warning_needs_response', 'inquiry', 'open', 'inquiry'],
    ['warning_under_review', 'inquiry', 'open', 'inquiry'],
    ['warning_closed', 'won', 'open', 'won'],
    ['needs_response', 'open', 'open', 'open'],
    ['under_review', 'open', 'open', 'open'],
    ['won', 'won', 'open', 'won'],
    ['lost', 'inquiry', 'lost', 'won'],
    ['appeal_needs_response', 'inquiry', 'lost', 'won'],
    ['appeal_under_review', 'inquiry', 'lost', 'won'],
    ['prevented', 'inquiry', 'lost', 'won'],
    ['something_new', 'open', 'open', 'open'],
  ])('its money decides while it is %s', async (status, unmoved, away, back) => {
    const states: (string | undefined)[] = [];
    for (const balance_transactions of Object.values(places)) {
      states.push((await read({ status, balance_transactions }))?.state);
    }
    expect(states).toEqual([unmoved, away, back]);
  });

  test('its transactions tell what is gone, not its amount', async () => {
    const gone = await read({ status: 'lost', balance_transactions: isMoved(-498) });
    expect(gone).toMatchObject({ state: 'lost', amountCents: 498 });
    const inPart = await read({ status: 'won', balance_transactions: isMoved(-500, 300) });
    expect(inPart).toMatchObject({ state: 'lost', amountCents: 200 });
  });

  test('its own amount counts in another currency', async () => {
    const exchanged = (...amounts: number[]) =>
      isMoved(...amounts).map((move) => ({ ...move, currency: 'eur' }));
    const lost = await read({ status: 'lost', balance_transactions: exchanged(-460) });
    expect(lost).toMatchObject({ state: 'lost', amountCents: 500 });
    const won = await read({ status: 'won', balance_transactions: exchanged(-460, 455) });
    expect(won).toMatchObject({ state: 'won' });
    const inPart = await read({ status: 'won', balance_transactions: exchanged(-460, 200) });
    expect(inPart).toMatchObject({ state: 'open' });
  });

  test.each([
    { amount: null },
    { amount: -500 },
    { amount: 1.5 },
    { status: null },
    { balance_transactions: ['txn_1'] },
  ])('an unreadable dispute is an unusable answer: %j', async (fields) => {
    await expect(read({ status: 'lost', ...fields })).rejects.toMatchObject({ kind: 'broken' });
  });

  test('a dispute without details holds its order', async () => {
    expect(await read({ status: 'lost' })).toEqual({ id: 'dp_1', amountCents: 500, state: 'inquiry' });
    expect(await read({ status: 'something_new' })).toMatchObject({ unknownStatus: 'something_new' });
  });
});

test('events are read from all pages, oldest first', async () => {
  const event = (id: string, created: number) => ({
    id,
    type: 'charge.refunded',
    created,
    data: { object: { object: 'charge', payment_intent: 'pi_1' } },
  });
  const { provider, seen } = withAnswers([
    json({ object: 'list', data: [event('evt_3', 3), event('evt_2', 2)], has_more: true }),
    json({ object: 'list', data: [event('evt_1', 1)], has_more: false }),
  ]);
  const events = await provider.listEvents(new Date(1000), ['charge.refunded']);
  expect(events?.map(({ id }) => id)).toEqual(['evt_1', 'evt_2', 'evt_3']);
  expect(new URL(seen[1]?.url ?? '').searchParams.get('starting_after')).toBe('evt_2');
});
