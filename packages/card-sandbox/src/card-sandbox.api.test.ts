import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  callApi,
  confirmIntent,
  control,
  createIntent,
  newIntent,
  request,
  startSandbox,
  type TestSandbox,
} from '#test/start-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => control(sandbox, { webhooks: 'drop', faults: [], processing: false }));
afterAll(() => sandbox.close());

const create = (form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  callApi(sandbox, '/v1/payment_intents', { ...newIntent, ...form }, headers);

const confirmAs = (id: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  request(sandbox, `/sandbox/stripe/v1/payment_intents/${id}/confirm`, { form, headers });

test('the merchant is told of the key and the script that its page needs', () => {
  expect(sandbox.sandbox).toMatchObject({
    publishableKey: 'pk_test_sandbox',
    scriptUrl: '/sandbox/stripe/stripe.js',
  });
});

test('the script is a plain script that the browser may keep', async () => {
  const script = await request(sandbox, '/sandbox/stripe/stripe.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.text).not.toMatch(/^(import|export) /m);
  expect(() => new Function(script.text)).not.toThrow();
  const etag = script.headers.get('etag') ?? '';
  const again = await request(sandbox, '/sandbox/stripe/stripe.js', { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});

test('every test card does what its number is known for', async () => {
  const outcomes: Record<string, string> = {
    pm_card_visa: 'succeeded',
    pm_card_mastercard: 'succeeded',
    pm_card_amex: 'succeeded',
    pm_card_chargeDeclined: 'Your card was declined.',
    pm_card_chargeDeclinedInsufficientFunds: 'Your card has insufficient funds.',
    pm_card_chargeDeclinedLostCard: 'Your card was declined.',
    pm_card_chargeDeclinedExpiredCard: 'Your card has expired.',
    pm_card_chargeDeclinedIncorrectCvc: "Your card's security code is incorrect.",
    pm_card_chargeDeclinedProcessingError:
      'An error occurred while processing your card. Try again in a little bit.',
    pm_card_authenticationRequiredOnSetup: 'requires_action',
    pm_card_authenticationRequired: 'requires_action',
    pm_card_threeDSecure2Required: 'requires_action',
    pm_card_threeDSecureRequiredChargeDeclined: 'requires_action',
    pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: 'requires_action',
    pm_card_unheard_of: "No such PaymentMethod: 'pm_card_unheard_of'",
  };
  for (const [token, outcome] of Object.entries(outcomes)) {
    const { body } = await confirmIntent(sandbox, await createIntent(sandbox), token);
    expect([token, body.error?.message ?? body.status]).toEqual([token, outcome]);
  }
});

test.each([
  ['pm_card_threeDSecureRequiredChargeDeclined', 'authorize', 'Your card was declined.'],
  [
    'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
    'authorize',
    'Your card has insufficient funds.',
  ],
  [
    'pm_card_authenticationRequired',
    'fail',
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  ],
])(
  '%s: after the bank was answered with %s the payment may be tried again',
  async (token, answer, message) => {
    const intent = await createIntent(sandbox);
    const { body } = await confirmIntent(sandbox, intent, token);
    await request(sandbox, body.next_action.redirect_to_url.url, { form: { answer } });
    const after = await callApi(sandbox, `/v1/payment_intents/${intent.id}`);
    expect(after.body).toMatchObject({ status: 'requires_payment_method', last_payment_error: { message } });
    expect((await confirmIntent(sandbox, intent)).body.status).toBe('succeeded');
  },
);

test('a browser sees nothing that the merchant has noted, and needs the client secret to see anything', async () => {
  const { clientSecret, id } = await createIntent(sandbox);
  const ask = (query: Record<string, string>) =>
    request(sandbox, `/sandbox/stripe/v1/payment_intents/${id}?${new URLSearchParams(query)}`);
  const seen = await ask({ key: 'pk_test_sandbox', client_secret: clientSecret });
  expect(seen.status).toBe(200);
  expect(seen.body).not.toHaveProperty('metadata');
  const byBearer = await request(
    sandbox,
    `/sandbox/stripe/v1/payment_intents/${id}?${new URLSearchParams({ client_secret: clientSecret })}`,
    { headers: { authorization: 'Bearer pk_test_sandbox' } },
  );
  expect(byBearer.status).toBe(200);
  expect((await ask({ key: 'pk_test_sandbox' })).status).toBe(400);
  expect((await ask({ key: 'pk_test_sandbox', client_secret: `${id}_secret_x` })).status).toBe(400);
  expect((await ask({ client_secret: clientSecret })).status).toBe(401);
});

test('secret keys and card numbers have no business in a browser', async () => {
  const { clientSecret, id } = await createIntent(sandbox);
  const form = { client_secret: clientSecret, payment_method: 'pm_card_visa' };
  expect((await confirmAs(id, form, { authorization: `Bearer ${sandbox.secretKey}` })).status).toBe(403);
  expect((await confirmAs(id, { ...form, key: sandbox.secretKey })).status).toBe(403);
  for (const name of ['card[number]', 'payment_method_data[card][number]']) {
    const refused = await confirmAs(id, { ...form, key: 'pk_test_sandbox', [name]: '4242424242424242' });
    expect([refused.status, refused.body.error?.param]).toEqual([400, 'payment_method_data[card][number]']);
  }
  const byToken = await confirmAs(id, {
    key: 'pk_test_sandbox',
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][token]': 'pm_card_visa',
  });
  expect(byToken.body.status).toBe('succeeded');
});

test("Stripe's API takes the secret key alone", async () => {
  const authorization = 'Bearer pk_test_sandbox';
  const refused = await callApi(sandbox, '/v1/events', undefined, { authorization });
  expect(refused.status).toBe(401);
});

test('what Stripe refuses the sandbox refuses: unknown and withdrawn parameters, amounts out of bounds', async () => {
  const code = async (form: Record<string, string>) => (await create(form)).body.error?.code;
  expect(await code({ amout: '1' })).toBe('parameter_unknown');
  expect(await code({ 'payment_method_types[0]': 'card' })).toBe('payment_method_types_no_longer_supported');
  expect(await code({ amount: '49' })).toBe('amount_too_small');
  expect(await code({ amount: '100000000' })).toBe('amount_too_large');
  expect(await code({ amount: '1.5' })).toBe('parameter_invalid_integer');
  expect((await create({ amount: '99999999' })).status).toBe(200);
  expect((await callApi(sandbox, '/v1/customers', {})).status).toBe(404);
  expect((await callApi(sandbox, '/v1/payment_intents/pi_none')).body.error?.code).toBe('resource_missing');
});

test('the first answer under a key is given again, also a failure; another request under it is refused', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await create({}, headers);
  const again = await create({}, headers);
  expect(again.body).toEqual(first.body);
  expect([first, again].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  const other = await create({ amount: '200' }, headers);
  expect([other.status, other.body.error?.type]).toEqual([400, 'idempotency_error']);

  await control(sandbox, { faults: [{ fault: '500' }] });
  const failing = { 'idempotency-key': 'broken' };
  expect((await create({}, failing)).status).toBe(500);
  expect((await create({}, failing)).status).toBe(500);
});

test('many requests at once under one key make one payment', async () => {
  const headers = { 'idempotency-key': 'many' };
  const answers = await Promise.all(Array.from({ length: 8 }, () => create({}, headers)));
  const made = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id));
  expect(made.size).toBe(1);
  for (const { status, body } of answers.filter(({ status }) => status !== 200)) {
    expect([status, body.error?.code]).toEqual([409, 'idempotency_key_in_use']);
  }
});

test('money can be given back in parts, but never more than was paid', async () => {
  const intent = await createIntent(sandbox);
  const { id } = intent;
  const refund = (form: Record<string, string> = {}) =>
    callApi(sandbox, '/v1/refunds', { payment_intent: id, ...form });
  expect((await refund()).status).toBe(400);
  await confirmIntent(sandbox, intent);
  expect((await refund({ amount: '100' })).body).toMatchObject({ amount: 100, status: 'succeeded' });
  expect((await refund({ amount: '113944' })).status).toBe(400);
  expect((await refund()).body.amount).toBe(113843);
  expect((await refund()).body.error?.code).toBe('charge_already_refunded');
  const { body } = await callApi(sandbox, `/v1/payment_intents/${id}?expand[0]=latest_charge`);
  expect(body.latest_charge).toMatchObject({ refunded: true, amount_refunded: 113943 });
});

test('open payments outlast a restart', async () => {
  const intent = await createIntent(sandbox);
  const restarted = await startSandbox({ databaseOf: sandbox });
  try {
    expect((await confirmIntent(restarted, intent)).body.status).toBe('succeeded');
  } finally {
    await restarted.close();
  }
});

test('without leave there is no control', async () => {
  const plain = await startSandbox({ databaseOf: sandbox, withControl: false });
  try {
    expect((await request(plain, '/sandbox/stripe/control')).status).toBe(404);
  } finally {
    await plain.close();
  }
});
