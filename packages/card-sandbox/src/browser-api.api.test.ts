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
