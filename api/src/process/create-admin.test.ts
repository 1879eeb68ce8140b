import { describe, expect, test } from 'vitest';
import { isOpen, run, settings, startShopProcess } from '#test/processes.ts';

describe('npm run create-admin', () => {
  const command = 'api/src/process/create-admin.ts';
  const password = 'a long enough password';
  const signIn = async (port: string, origin: string, email = 'chief@shop.example') =>
    fetch(`http://127.0.0.1:${port}/identity/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email, password }),
    });

  test('creates administrators in a stopped and a running shop, no short passwords', async () => {
    const given = await settings();
    const first = run([command, 'chief@shop.example'], given, password);
    expect(await first.ended, first.said()).toBe(0);
    await isOpen(startShopProcess(given));
    const origin = `http://localhost:${given.PORT}`;
    expect((await signIn(given.PORT, origin, 'chief@shop.example')).status).toBe(200);

    const refused = run([command, 'clerk@shop.example'], given, 'short\n');
    expect(await refused.ended).toBe(1);
    expect(refused.said()).toBe('The password must be 12 characters or longer.\n');
    expect((await signIn(given.PORT, origin, 'clerk@shop.example')).status).toBe(401);
    const made = run(
      ['scripts/run.mjs', 'create-admin', 'clerk@shop.example', 'Clerk'],
      given,
      `${password}\n`,
    );
    expect(await made.ended, made.said()).toBe(0);
    expect(made.said()).toContain('clerk@shop.example is an administrator now.');
    expect((await signIn(given.PORT, origin, 'clerk@shop.example')).status).toBe(200);
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
