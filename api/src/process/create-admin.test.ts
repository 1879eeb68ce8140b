import { describe, expect, test } from 'vitest';
import { isOpen, run, settings, startShopProcess } from '#test/processes.ts';

describe('npm run create-admin', () => {
  const password = 'a long enough password';
  const signIn = async (port: string, origin: string) =>
    fetch(`http://127.0.0.1:${port}/identity/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: 'chief@shop.example', password }),
    });

  test('makes an administrator while the shop runs', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const command = run(['scripts/create-admin.mjs', 'chief@shop.example', 'Chief'], given, `${password}\n`);
    expect(await command.ended, command.said()).toBe(0);
    expect(command.said()).toContain('chief@shop.example is an administrator now.');
    expect((await signIn(given.PORT, `http://localhost:${given.PORT}`)).status).toBe(200);
  });

  test('makes an administrator while the shop does not run', async () => {
    const given = await settings();
    const command = run(['scripts/create-admin.mjs', 'chief@shop.example'], given, password);
    expect(await command.ended, command.said()).toBe(0);
    const shop = startShopProcess(given);
    await isOpen(shop);
    expect((await signIn(given.PORT, `http://localhost:${given.PORT}`)).status).toBe(200);
  });

  test('refuses a short password in one sentence', async () => {
    const command = run(['scripts/create-admin.mjs', 'chief@shop.example'], await settings(), 'short\n');
    expect(await command.ended).toBe(1);
    expect(command.said()).toContain('The password must be 12 characters or longer.');
  });
});
