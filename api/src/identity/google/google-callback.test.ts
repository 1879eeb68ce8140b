import { expect, test } from 'vitest';
import { answerInPopup } from './google-callback.ts';

const callback = new Request('http://shop.example/identity/callback/google?state=x&code=y');
const other = new Request('http://shop.example/identity/token');
const failIfThrown = (error: unknown) => expect(error).toBeUndefined();
const failedPopup = '/auth/popup.html?error=failed';

test('an error of the callback is reported and shown in the popup', async () => {
  const errors: unknown[] = [];
  const error = new Error('the database is away');
  const answer = await answerInPopup(
    callback,
    () => Promise.reject(error),
    (thrown) => errors.push(thrown),
  );
  expect([answer.status, answer.headers.get('location')]).toEqual([302, failedPopup]);
  expect(errors).toEqual([error]);
});

test('a refusal of the callback is shown in the popup', async () => {
  const answer = await answerInPopup(callback, async () => new Response('{}', { status: 429 }), failIfThrown);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, failedPopup]);
});

test('a redirect of the service passes unchanged', async () => {
  const redirect = new Response(null, { status: 302, headers: { location: '/auth/popup.html?id=1' } });
  expect(await answerInPopup(callback, async () => redirect, failIfThrown)).toBe(redirect);
});

test('other calls answer and fail unchanged', async () => {
  const refusal = new Response('{}', { status: 401 });
  expect(await answerInPopup(other, async () => refusal, failIfThrown)).toBe(refusal);
  const error = new Error('the database is away');
  await expect(answerInPopup(other, () => Promise.reject(error), failIfThrown)).rejects.toBe(error);
});
