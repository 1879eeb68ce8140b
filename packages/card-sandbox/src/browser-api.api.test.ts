import { expect, test } from 'vitest';
import { useSandbox } from '#test/start-sandbox.ts';

const sandbox = useSandbox();

const confirmAs = (id: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  sandbox.request(`/sandbox/stripe/v1/payment_intents/${id}/confirm`, { form, headers });

test('a browser needs the client secret and never sees metadata', async () => {
  const { clientSecret, id } = await sandbox.createIntent();
  const ask = (query: Record<string, string>) =>
    sandbox.request(`/sandbox/stripe/v1/payment_intents/${id}?${new URLSearchParams(query)}`);
  const seen = await ask({ key: 'pk_test_sandbox', client_secret: clientSecret });
  expect(seen.status).toBe(200);
  expect(seen.body).not.toHaveProperty('metadata');
  const byBearer = await sandbox.request(
    `/sandbox/stripe/v1/payment_intents/${id}?${new URLSearchParams({ client_secret: clientSecret })}`,
    { headers: { authorization: 'Bearer pk_test_sandbox' } },
  );
  expect(byBearer.status).toBe(200);
  expect((await ask({ key: 'pk_test_sandbox' })).status).toBe(400);
  expect((await ask({ key: 'pk_test_sandbox', client_secret: `${id}_secret_x` })).status).toBe(400);
  expect((await ask({ client_secret: clientSecret })).status).toBe(401);
});

test('secret keys and card numbers are refused from a browser', async () => {
  const { clientSecret, id } = await sandbox.createIntent();
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

test('a malformed form is refused with 400', async () => {
  const { id } = await sandbox.createIntent();
  const path = `/sandbox/stripe/v1/payment_intents/${id}`;
  for (const refused of [
    await sandbox.request(`${path}?key=pk_test_sandbox&a=1&a[b]=2`),
    await confirmAs(id, { key: 'pk_test_sandbox', a: '1', 'a[b]': '2' }),
  ]) {
    expect([refused.status, refused.body.error?.param]).toEqual([400, 'a[b]']);
  }
});

async function startChallenge(): Promise<{ id: string; path: string }> {
  const intent = await sandbox.createIntent();
  const { body } = await sandbox.confirmIntent(intent, 'pm_card_authenticationRequired');
  return { id: intent.id, path: body.next_action.redirect_to_url.url };
}

test("the bank's page runs no script and refuses foreign frames", async () => {
  const { path } = await startChallenge();
  const page = await sandbox.request(path);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'self'/);
  expect(page.text).toContain('do you want to pay $1,139.43?');
  expect(page.text).not.toContain('<script');
});

test('only the first answer counts', async () => {
  const { id, path } = await startChallenge();
  expect((await sandbox.request(path, { form: { answer: 'authorize' } })).text).toContain('Thank you.');
  expect(await sandbox.readIntentStatus(id)).toBe('succeeded');
  await sandbox.request(path, { form: { answer: 'fail' } });
  expect(await sandbox.readIntentStatus(id)).toBe('succeeded');
  expect((await sandbox.request(path)).text).toContain('This question is closed.');
});

test('any answer other than consent fails the payment', async () => {
  for (const form of [{}, { answer: 'fail' }, { answer: '1', 'answer[x]': 'authorize' }]) {
    const { id, path } = await startChallenge();
    expect((await sandbox.request(path, { form })).status).toBe(200);
    expect(await sandbox.readIntentStatus(id)).toBe('requires_payment_method');
  }
});

test('an unknown challenge is not found', async () => {
  const path = '/sandbox/stripe/challenge/src_none';
  expect((await sandbox.request(path)).status).toBe(404);
  expect((await sandbox.request(path, { form: { answer: 'authorize' } })).status).toBe(404);
});

test('every test card has its documented outcome', async () => {
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
    constructor: "No such PaymentMethod: 'constructor'",
  };
  for (const [token, outcome] of Object.entries(outcomes)) {
    const { body } = await sandbox.confirmIntent(await sandbox.createIntent(), token);
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
])('%s: the payment may be retried after the answer %s', async (token, answer, message) => {
  const intent = await sandbox.createIntent();
  const { body } = await sandbox.confirmIntent(intent, token);
  await sandbox.request(body.next_action.redirect_to_url.url, { form: { answer } });
  const after = await sandbox.callApi(`/v1/payment_intents/${intent.id}`);
  expect(after.body).toMatchObject({ status: 'requires_payment_method', last_payment_error: { message } });
  expect((await sandbox.confirmIntent(intent)).body.status).toBe('succeeded');
});

test('the page gets a classic script that browsers may cache', async () => {
  const script = await sandbox.request('/sandbox/stripe/stripe.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.text).not.toMatch(/^(import|export) /m);
  expect(() => new Function(script.text)).not.toThrow();
  const etag = script.headers.get('etag') ?? '';
  const again = await sandbox.request('/sandbox/stripe/stripe.js', { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});
