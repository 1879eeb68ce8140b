import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningPostgres } from '@parts-forge/embedded-postgres';
import { expect, test } from 'vitest';
import {
  backUpUnderOrders,
  buildUrl,
  demoShop,
  expectOneMoment,
  readClosedShop,
} from '#test/backup-under-orders.ts';
import { backUp, readPictures, readRows, restore, succeed } from '#test/backups.ts';
import { isOpen, newFolder, run, settingsOfNewShop, startShopProcess } from '#test/processes.ts';
import { embeddedNames } from './connect-database.ts';

test('a backup of a shop under orders restores to one moment', async () => {
  const given = await demoShop();
  const shop = startShopProcess(given);
  await isOpen(shop);
  const folder = join(newFolder(), 'backup');
  const reader = () => readRows(findRunningPostgres(given.DATA_DIR, embeddedNames) ?? {});
  const facts = await backUpUnderOrders(given, reader, folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);

  const elsewhere = { ...(await settingsOfNewShop()), RATE_LIMITS: 'off' };
  await succeed(restore(elsewhere, folder));
  expectOneMoment(await readClosedShop(elsewhere.DATA_DIR), facts);
  expect(readPictures(elsewhere.DATA_DIR)).toEqual(readPictures(given.DATA_DIR));

  // Both run side by side; the copy names itself a copy until it takes over.
  const copy = startShopProcess(elsewhere);
  await isOpen(copy);
  expect(copy.said()).toContain(
    'It takes no keys, sends no webhooks and gives no money of that shop back before it is started once with',
  );
  expect((await fetch(`${buildUrl(elsewhere)}/readyz`)).status).toBe(200);
  copy.child.kill('SIGTERM');
  expect(await copy.ended).toBe(0);
  const hasty = run(['api/src/process/main.ts', '--take-over'], elsewhere);
  expect(await hasty.ended).toBe(1);
  expect(hasty.said()).toContain('Say which invoice was the last that the other shop has issued');
  const numbers = ['--last-invoice=2026-00041', '--last-credit-note=none', '--last-debit-note=none'];
  const successor = run(['api/src/process/main.ts', '--take-over', ...numbers], elsewhere);
  await isOpen(successor);
  expect(successor.said()).toContain('This shop has taken the place of the one that was backed up');
  successor.child.kill('SIGTERM');
  expect(await successor.ended).toBe(0);
});

test('a backup without a shop and an unknown option are refused', async () => {
  const given = await settingsOfNewShop();
  const nothing = backUp(given, join(newFolder(), 'backup'));
  expect(await nothing.ended).toBe(1);
  expect(nothing.said()).toBe(
    `There is no shop in ${given.DATA_DIR}: set DATA_DIR to the folder of the shop.\n`,
  );
  expect(existsSync(given.DATA_DIR)).toBe(false);
  const unknown = run(['api/src/process/main.ts', '--takeover'], given);
  expect(await unknown.ended).toBe(1);
  expect(unknown.said()).toBe('--takeover is no option of npm start; --take-over is the only one.\n');
});
