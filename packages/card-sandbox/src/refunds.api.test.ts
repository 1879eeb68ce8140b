import { beforeEach, expect, test } from 'vitest';
import { useSandbox } from '#test/start-sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.changeControl({ newRefunds: 'succeeded' }));

async function createPaidIntent(paymentMethod?: string): Promise<string> {
  const intent = await sandbox.createIntent();
  await sandbox.confirmIntent(intent, paymentMethod);
  return intent.id;
}

const refund = async (intent: string, more: Record<string, string> = {}) =>
  (await sandbox.callApi('/v1/refunds', { payment_intent: intent, ...more })).body;
const readCharge = async (intent: string) =>
  (await sandbox.callApi(`/v1/payment_intents/${intent}?expand[0]=latest_charge`)).body.latest_charge;
const list = async (path: string) =>
  (await sandbox.callApi(path)).body as unknown as { data: { id: string; status?: string }[] };
const readRefundStatus = async (intent: string) =>
  (await list(`/v1/refunds?payment_intent=${intent}`)).data[0]?.status;
/** Event types of an object, oldest first. */
async function readEventTypes(id: string): Promise<string[]> {
  const { data } = (await sandbox.callApi('/v1/events')).body as unknown as {
    data: { type: string; data: { object: { id: string } } }[];
  };
  return data
    .filter(({ data: { object } }) => object.id === id)
    .map(({ type }) => type)
    .reverse();
}

test('the control decides whether a refund succeeds, waits or is sent back', async () => {
  const done = await createPaidIntent();
  expect(await refund(done)).toMatchObject({ status: 'succeeded', amount: 113943 });
  expect(await readCharge(done)).toMatchObject({ refunded: true, amount_refunded: 113943 });

  await sandbox.changeControl({ newRefunds: 'pending' });
  const waiting = await createPaidIntent();
  expect(await refund(waiting)).toMatchObject({ status: 'pending' });
  expect(await readCharge(waiting)).toMatchObject({ refunded: true });

  await sandbox.changeControl({ newRefunds: 'failed' });
  const sentBack = await createPaidIntent();
  const { id } = await refund(sentBack);
  expect(await readRefundStatus(sentBack)).toBe('failed');
  expect(await readCharge(sentBack)).toMatchObject({ refunded: false, amount_refunded: 0 });
  expect(await readEventTypes(id)).toEqual(
    expect.arrayContaining(['refund.created', 'refund.updated', 'refund.failed']),
  );
});

test('a refund can be finished once and sent back after success', async () => {
  await sandbox.changeControl({ newRefunds: 'pending' });
  const intent = await createPaidIntent();
  const { id } = await refund(intent);
  await sandbox.changeControl({ finishRefund: { refund: id, status: 'succeeded' } });
  expect(await readRefundStatus(intent)).toBe('succeeded');
  await sandbox.changeControl({ finishRefund: { refund: id, status: 'failed' } });
  await expect(sandbox.changeControl({ finishRefund: { refund: id, status: 'succeeded' } })).rejects.toThrow(
    'has the status failed',
  );
  await expect(
    sandbox.changeControl({ finishRefund: { refund: 're_unknown', status: 'failed' } }),
  ).rejects.toThrow(/^404/);
});

test('refunds are listed by payment with their metadata', async () => {
  const intent = await createPaidIntent();
  await refund(await createPaidIntent());
  const part = await refund(intent, { amount: '100', 'metadata[refundId]': 'r-1' });
  expect((await list(`/v1/refunds?payment_intent=${intent}`)).data).toMatchObject([
    { id: part.id, amount: 100, metadata: { refundId: 'r-1' } },
  ]);
});

test('a payment with an open dispute cannot be refunded', async () => {
  const intent = await createPaidIntent();
  await sandbox.changeControl({ dispute: { intent, status: 'needs_response' } });
  expect(await readCharge(intent)).toMatchObject({ disputed: true });
  expect((await refund(intent)).error).toMatchObject({ code: 'charge_disputed' });
  await sandbox.changeControl({ dispute: { intent, status: 'under_review' } });
  await sandbox.changeControl({ dispute: { intent, status: 'won' } });
  const { data } = await list(`/v1/disputes?payment_intent=${intent}`);
  expect(data).toMatchObject([
    {
      object: 'dispute',
      amount: 113943,
      status: 'won',
      balance_transactions: [{ amount: -113_943 }, { amount: 113_943 }],
      evidence_details: { due_by: expect.any(Number) },
    },
  ]);
  expect((await readEventTypes(data[0]?.id ?? '')).sort()).toEqual([
    'charge.dispute.closed',
    'charge.dispute.created',
    'charge.dispute.updated',
  ]);
  await sandbox.changeControl({ dispute: { intent, status: 'appeal_under_review' } });
  expect((await refund(intent)).error).toMatchObject({ code: 'charge_disputed' });
  await sandbox.changeControl({ dispute: { intent, status: 'warning_closed' } });
  expect((await refund(intent)).status).toBe('succeeded');
  expect((await sandbox.readControl()).disputes).toHaveLength(1);
});

test('an unpaid payment cannot be disputed', async () => {
  const { id } = await sandbox.createIntent();
  await expect(sandbox.changeControl({ dispute: { intent: id, status: 'lost' } })).rejects.toThrow(
    'does not have a charge to dispute',
  );
});

test('a charge has the brand and the last digits of its card', async () => {
  for (const [token, brand, last4] of [
    ['pm_card_visa', 'visa', '4242'],
    ['pm_card_mastercard', 'mastercard', '4444'],
    ['pm_card_amex', 'amex', '0005'],
  ] as const) {
    const charge = await readCharge(await createPaidIntent(token));
    expect(charge).toMatchObject({ payment_method_details: { type: 'card', card: { brand, last4 } } });
  }
});

test('events are filtered by type and creation time', async () => {
  const { id } = await refund(await createPaidIntent());
  const named = await list('/v1/events?types[0]=refund.created');
  expect(new Set(named.data.map((event) => (event as { type?: string }).type))).toEqual(
    new Set(['refund.created']),
  );
  expect(JSON.stringify(named)).toContain(id);
  const future = Math.floor(Date.now() / 1000) + 3600;
  expect((await list(`/v1/events?created[gte]=${future}`)).data).toEqual([]);
});

test('a list returns ten items by default and continues after a cursor', async () => {
  const intent = await createPaidIntent();
  const ids: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const { id } = await refund(intent, { amount: '100' });
    ids.unshift(String(id));
  }
  const read = async (query: string) => {
    const { body } = await sandbox.callApi(`/v1/refunds?payment_intent=${intent}${query}`);
    const { data, has_more } = body as unknown as { data: { id: string }[]; has_more: boolean };
    return { ids: data.map(({ id }) => id), has_more };
  };
  const first = await read('');
  expect(first).toEqual({ ids: ids.slice(0, 10), has_more: true });
  expect(await read(`&starting_after=${first.ids.at(-1)}`)).toEqual({ ids: ids.slice(10), has_more: false });
  expect(await read('&limit=12')).toEqual({ ids, has_more: false });
  expect((await sandbox.callApi('/v1/refunds?limit=101')).status).toBe(400);
  expect((await sandbox.callApi('/v1/refunds?starting_after=re_none')).status).toBe(400);
});
