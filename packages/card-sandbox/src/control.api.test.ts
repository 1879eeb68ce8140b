import { beforeEach, expect, test } from 'vitest';
import { intentParameters, startSandbox, useSandbox } from '#test/start-sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.changeControl({ faults: [], processing: false }));

test('a fault hits only matching calls, as often as requested', async () => {
  await sandbox.changeControl({ faults: [{ fault: '429', on: 'POST /v1/payment_intents', times: 2 }] });
  expect((await sandbox.callApi('/v1/events')).status).toBe(200);
  const statuses: number[] = [];
  for (let call = 0; call < 3; call += 1) {
    statuses.push((await sandbox.callApi('/v1/payment_intents', intentParameters)).status);
  }
  expect(statuses).toEqual([429, 429, 200]);
});

test('concurrent calls meet a fault exactly as often as requested', async () => {
  await sandbox.changeControl({ faults: [{ fault: '429', times: 2 }] });
  const calls = Array.from({ length: 8 }, () => sandbox.callApi('/v1/events'));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

test('a call without a matching fault waits for no lock', async () => {
  await sandbox.changeControl({ faults: [{ fault: '429', on: 'POST /v1/refunds' }] });
  const holder = await sandbox.pool.connect();
  try {
    await holder.query('begin');
    await holder.query("select from sandbox_objects where id = 'control' for update");
    let status: number | undefined;
    const call = sandbox.callApi('/v1/events').then((response) => {
      status = response.status;
    });
    // Not awaited: a call that waits for the lock would wait for the rollback below.
    await expect.poll(() => status).toBe(200);
    await call;
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

test('a timeout fault strikes before or after the call takes effect', async () => {
  const { id } = await sandbox.createIntent();
  await sandbox.changeControl({ faults: [{ fault: 'timeout-before' }] });
  await expect(sandbox.callApi(`/v1/payment_intents/${id}/cancel`, {})).rejects.toThrow('ETIMEDOUT');
  expect(await sandbox.readIntentStatus(id)).toBe('requires_payment_method');
  await sandbox.changeControl({ faults: [{ fault: 'timeout-after' }] });
  await expect(sandbox.callApi(`/v1/payment_intents/${id}/cancel`, {})).rejects.toThrow('ETIMEDOUT');
  expect(await sandbox.readIntentStatus(id)).toBe('canceled');
});

test('a 500 fault changes nothing', async () => {
  const { id } = await sandbox.createIntent();
  await sandbox.changeControl({ faults: [{ fault: '500' }] });
  const { status, body } = await sandbox.callApi(`/v1/payment_intents/${id}/cancel`, {});
  expect([status, body.error?.type]).toEqual([500, 'api_error']);
  expect(await sandbox.readIntentStatus(id)).toBe('requires_payment_method');
});

test('a payment stays in processing until it is finished', async () => {
  await sandbox.changeControl({ processing: true });
  const intent = await sandbox.createIntent();
  expect((await sandbox.confirmIntent(intent)).body.status).toBe('processing');
  await sandbox.changeControl({ processing: false });
  expect(await sandbox.readIntentStatus(intent.id)).toBe('processing');
  await sandbox.changeControl({ finish: intent.id });
  expect(await sandbox.readIntentStatus(intent.id)).toBe('succeeded');
});

test('a payment that is finally declined leaves processing', async () => {
  await sandbox.changeControl({ processing: true });
  const intent = await sandbox.createIntent();
  await sandbox.confirmIntent(intent, 'pm_card_chargeDeclined');
  await sandbox.changeControl({ processing: false, finish: intent.id });
  expect(await sandbox.readIntentStatus(intent.id)).toBe('requires_payment_method');
});

test('a change with an impossible finish is refused as a whole', async () => {
  const { id } = await sandbox.createIntent();
  await expect(sandbox.changeControl({ processing: true, finish: id })).rejects.toThrow(
    'could not be finished because it has a status of requires_payment_method',
  );
  expect(await sandbox.readControl()).toMatchObject({ processing: false });
});

test('an invalid change is refused', async () => {
  for (const change of [
    { webhooks: 'lose' },
    { delayMs: -1 },
    { faults: [{ fault: '418' }] },
    { processing: 1 },
  ]) {
    await expect(sandbox.changeControl(change)).rejects.toThrow(/^422/);
  }
});

test('the control shows intents, refunds and events', async () => {
  const intent = await sandbox.createIntent();
  await sandbox.confirmIntent(intent);
  await sandbox.callApi('/v1/refunds', { payment_intent: intent.id });
  const { intents, refunds, events } = await sandbox.readControl();
  expect(intents[0]).toMatchObject({ id: intent.id, status: 'succeeded' });
  expect(refunds[0]).toMatchObject({ payment_intent: intent.id, amount: 113943 });
  expect(
    events
      .slice(0, 2)
      .map(({ type }) => type)
      .sort(),
  ).toEqual(['charge.refunded', 'refund.created']);
});

test('the control endpoint exists only with `withControl`', async () => {
  const plain = await startSandbox({ shareDatabaseWith: sandbox, withControl: false });
  try {
    expect((await plain.request('/sandbox/stripe/control')).status).toBe(404);
  } finally {
    await plain.close();
  }
});
