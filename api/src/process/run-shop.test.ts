import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { describe, expect, test } from 'vitest';
import { listen } from '#test/listen.ts';
import { cleanUps, isOpen, newFolder, settingsOfNewShop, startShopProcess } from '#test/processes.ts';

describe('a failed start', () => {
  test('a busy port is reported in one sentence', async () => {
    const taken = createServer();
    cleanUps.push(() => taken.close());
    const port = await listen(taken);
    const shop = startShopProcess({ ...(await settingsOfNewShop()), PORT: String(port) });
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toBe(
      `Port ${port} is taken by another program: end it, or set PORT to another one.\n`,
    );
  });

  test('a data folder without write access is reported in one sentence', async () => {
    const file = join(newFolder(), 'a-file');
    writeFileSync(file, '');
    const shop = startShopProcess({ ...(await settingsOfNewShop()), DATA_DIR: join(file, 'data') });
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toBe(
      `The data folder ${file}/data cannot be written (ENOTDIR): allow it, or set DATA_DIR to another folder.\n`,
    );
  });

  test('an unreachable DATABASE_URL is reported without its password', async () => {
    const port = await freePort();
    const url = `postgres://shop:secret@127.0.0.1:${port}/shop`;
    const shop = startShopProcess({ ...(await settingsOfNewShop()), DATABASE_URL: url });
    expect(await shop.ended).toBe(1);
    // A busy machine may reach the timeout before the refusal.
    const said = `DATABASE_URL does not answer at 127.0.0.1:${port}/shop: `;
    expect([
      `${said}connect ECONNREFUSED 127.0.0.1:${port}\n`,
      `${said}Connection terminated due to connection timeout\n`,
    ]).toContain(shop.said());
  });

  test('all wrong settings are reported together', async () => {
    const shop = startShopProcess({ ...(await settingsOfNewShop()), PORT: 'http', RATE_LIMITS: 'perhaps' });
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toBe(
      'The settings are wrong:\n- PORT must be a whole number from 0 to 65535.\n- RATE_LIMITS must be one of on, off.\n',
    );
  });
});

test('a start in another currency than that of the prices is refused', async () => {
  const given = { ...(await settingsOfNewShop()), SEED: 'catalogue', SHOP_CURRENCY: 'JPY' };
  const shop = startShopProcess(given);
  await isOpen(shop);
  shop.child.kill('SIGTERM');
  expect(await shop.ended).toBe(0);
  const other = startShopProcess({ ...given, SHOP_CURRENCY: 'EUR' });
  expect(await other.ended).toBe(1);
  expect(other.said()).toBe(
    'The prices of this shop are in JPY, and EUR has other decimals: set SHOP_CURRENCY=JPY, or start a new shop in EUR with a database of its own.\n',
  );
});

test('a new shop shows the first sign-in once and locks its folder', async () => {
  const given = await settingsOfNewShop();
  const first = startShopProcess(given);
  await isOpen(first);
  expect(first.said()).toContain(`The shop is open at http://localhost:${given.PORT}`);
  expect(first.said()).toMatch(
    /The first administrator signs in as \S+@\S+ with the password \S{12,} \(shown/,
  );
  const beside = startShopProcess({ ...given, PORT: String(await freePort()) });
  expect(await beside.ended).toBe(1);
  expect(beside.said()).toBe(`Another shop is using this data folder: ${given.DATA_DIR}\n`);
  expect((await fetch(`http://127.0.0.1:${given.PORT}/readyz`)).status).toBe(200);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const second = startShopProcess(given);
  await isOpen(second);
  expect(second.said()).not.toContain('password');
});
