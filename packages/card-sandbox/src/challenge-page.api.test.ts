import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  confirmIntent,
  createIntent,
  readIntentStatus,
  request,
  startSandbox,
  type TestSandbox,
} from '#test/start-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

async function startChallenge(): Promise<{ id: string; path: string }> {
  const intent = await createIntent(sandbox);
  const { body } = await confirmIntent(sandbox, intent, 'pm_card_authenticationRequired');
  return { id: intent.id, path: body.next_action.redirect_to_url.url };
}

test("the bank's page runs no script and refuses foreign frames", async () => {
  const { path } = await startChallenge();
  const page = await request(sandbox, path);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'self'/);
  expect(page.text).toContain('do you want to pay $1,139.43?');
  expect(page.text).not.toContain('<script');
});

test('only the first answer counts', async () => {
  const { id, path } = await startChallenge();
  expect((await request(sandbox, path, { form: { answer: 'authorize' } })).text).toContain('Thank you.');
  expect(await readIntentStatus(sandbox, id)).toBe('succeeded');
  await request(sandbox, path, { form: { answer: 'fail' } });
  expect(await readIntentStatus(sandbox, id)).toBe('succeeded');
  expect((await request(sandbox, path)).text).toContain('This question is closed.');
});

test('any answer other than consent fails the payment', async () => {
  for (const form of [{}, { answer: 'fail' }, { answer: '1', 'answer[x]': 'authorize' }]) {
    const { id, path } = await startChallenge();
    expect((await request(sandbox, path, { form })).status).toBe(200);
    expect(await readIntentStatus(sandbox, id)).toBe('requires_payment_method');
  }
});

test('an unknown challenge is not found', async () => {
  const path = '/sandbox/stripe/challenge/src_none';
  expect((await request(sandbox, path)).status).toBe(404);
  expect((await request(sandbox, path, { form: { answer: 'authorize' } })).status).toBe(404);
});
