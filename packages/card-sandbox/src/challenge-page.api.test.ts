import { expect, test } from 'vitest';
import { useSandbox } from '#test/start-sandbox.ts';

const sandbox = useSandbox();

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
