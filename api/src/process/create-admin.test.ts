import { describe, expect, test } from 'vitest';
import { isOpen, run, settings, startShopProcess } from '#test/processes.ts';

describe('npm run create-admin', () => {
  const command = 'api/src/process/create-admin.ts';
  const password = 'a long enough password';
  const signIn = async (port: string, origin: string) =>
    fetch(`http://127.0.0.1:${port}/identity/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: 'chief@shop.example', password }),
    });

  test('creates an administrator in a running shop and refuses short passwords', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const refused = run([command, 'chief@shop.example'], given, 'short\n');
    expect(await refused.ended).toBe(1);
    expect(refused.said()).toBe('The password must be 12 characters or longer.\n');
    const made = run(
      ['scripts/run.mjs', 'create-admin', 'chief@shop.example', 'Chief'],
      given,
      `${password}\n`,
    );
    expect(await made.ended, made.said()).toBe(0);
    expect(made.said()).toContain('chief@shop.example is an administrator now.');
    expect((await signIn(given.PORT, `http://localhost:${given.PORT}`)).status).toBe(200);
  });

  test('creates an administrator in a stopped shop', async () => {
    const given = await settings();
    const made = run([command, 'chief@shop.example'], given, password);
    expect(await made.ended, made.said()).toBe(0);
    const shop = startShopProcess(given);
    await isOpen(shop);
    expect((await signIn(given.PORT, `http://localhost:${given.PORT}`)).status).toBe(200);
  });

  test('needs no password with Firebase and names the administrator', async () => {
    const given = {
      ...(await settings()),
      FIREBASE_PROJECT_ID: 'parts-forge-1',
      FIREBASE_API_KEY: 'a-public-key-of-the-tests',
      FIREBASE_AUTH_DOMAIN: 'parts-forge-1.firebaseapp.com',
    };
    const made = run([command, 'chief@shop.example'], given, '');
    expect(await made.ended, made.said()).toBe(0);
    expect(made.said()).toContain('chief@shop.example is an administrator now.');
    expect(made.said()).toContain(
      'The administrator is the next person who signs in at Firebase with this proven address.',
    );
    const shop = startShopProcess(given);
    await isOpen(shop);
    expect(shop.said()).toContain(
      'Sign-in: the Firebase project parts-forge-1. The accounts of removed people stay there, as FIREBASE_SERVICE_ACCOUNT is not set.',
    );
    expect(shop.said()).not.toContain('The first administrator');
    expect((await signIn(given.PORT, `http://localhost:${given.PORT}`)).status).toBe(404);
  });
});
