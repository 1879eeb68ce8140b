import { beforeEach, expect, test } from 'vitest';
import { intentParameters, useSandbox } from '#test/start-sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.changeControl({ faults: [], processing: false }));

const create = (form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  sandbox.callApi('/v1/payment_intents', { ...intentParameters, ...form }, headers);

test("Stripe's API accepts only the secret key", async () => {
  const authorization = 'Bearer pk_test_sandbox';
  const refused = await sandbox.callApi('/v1/events', undefined, { authorization });
  expect(refused.status).toBe(401);
});

test('the sandbox refuses the same parameters and amounts as Stripe', async () => {
  const code = async (form: Record<string, string>) => (await create(form)).body.error?.code;
  expect(await code({ amout: '1' })).toBe('parameter_unknown');
  expect(await code({ 'payment_method_types[0]': 'card' })).toBe('parameter_unknown');
  expect(await code({ amount: '49' })).toBe('amount_too_small');
  expect(await code({ amount: '100000000' })).toBe('amount_too_large');
  expect(await code({ amount: '1.5' })).toBe('parameter_invalid_integer');
  expect((await create({ amount: '99999999' })).status).toBe(200);
  expect((await create({ metadata: 'a', 'metadata[b]': 'c' })).status).toBe(400);
  expect((await sandbox.callApi('/v1/customers', {})).status).toBe(404);
  expect((await sandbox.callApi('/v1/payment_intents/pi_none')).body.error?.code).toBe('resource_missing');
});

test('an idempotency key replays its first response and fits no other request', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await create({}, headers);
  const again = await create({}, headers);
  expect(again.body).toEqual(first.body);
  expect([first, again].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  const other = await create({ amount: '200' }, headers);
  expect([other.status, other.body.error?.type]).toEqual([400, 'idempotency_error']);

  await sandbox.changeControl({ faults: [{ fault: '500' }] });
  const failing = { 'idempotency-key': 'broken' };
  expect((await create({}, failing)).status).toBe(500);
  expect((await create({}, failing)).status).toBe(500);
});

test('concurrent requests under one idempotency key create one payment', async () => {
  const headers = { 'idempotency-key': 'many' };
  const answers = await Promise.all(Array.from({ length: 8 }, () => create({}, headers)));
  const made = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id));
  expect(made.size).toBe(1);
  for (const { status, body } of answers.filter(({ status }) => status !== 200)) {
    expect([status, body.error?.code]).toEqual([409, 'idempotency_key_in_use']);
  }
});

test('partial refunds never exceed the paid amount', async () => {
  const intent = await sandbox.createIntent();
  const { id } = intent;
  const refund = (form: Record<string, string> = {}) =>
    sandbox.callApi('/v1/refunds', { payment_intent: id, ...form });
  expect((await refund()).status).toBe(400);
  await sandbox.confirmIntent(intent);
  expect((await refund({ amount: '100' })).body).toMatchObject({ amount: 100, status: 'succeeded' });
  expect((await refund({ amount: '113944' })).status).toBe(400);
  expect((await refund()).body.amount).toBe(113843);
  expect((await refund()).body.error?.code).toBe('charge_already_refunded');
  const { body } = await sandbox.callApi(`/v1/payment_intents/${id}?expand[0]=latest_charge`);
  expect(body.latest_charge).toMatchObject({ refunded: true, amount_refunded: 113943 });
});
