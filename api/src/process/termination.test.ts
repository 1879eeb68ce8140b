import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { postmasterPid } from '@parts-forge/embedded-postgres/linux-processes';
import { expect, test } from 'vitest';
import { startThroughNpm } from '#test/launched-shop.ts';
import { beginRequest, isGone, isOpen, run, settings, startShopProcess } from '#test/processes.ts';
import { launcherFile } from '#test/programs.ts';

test('SIGTERM finishes requests under way, refuses new ones, then stops PostgreSQL', async () => {
  const given = await settings();
  const shop = startShopProcess(given);
  await isOpen(shop);
  const pid = postmasterPid(given.DATA_DIR);
  const begun = await beginRequest(given);
  shop.child.kill('SIGTERM');
  await expect.poll(() => shop.said()).toContain('Closing the shop.');
  await expect(fetch(`http://127.0.0.1:${given.PORT}/healthz`)).rejects.toThrow();
  await begun.finish();
  expect(await shop.ended).toBe(0);
  await isGone(pid);
  expect(existsSync(join(given.DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('SIGKILL leaves no PostgreSQL behind, and the next start succeeds', async () => {
  const given = await settings();
  const shop = startShopProcess(given);
  await isOpen(shop);
  const pid = postmasterPid(given.DATA_DIR);
  shop.child.kill('SIGKILL');
  const next = startShopProcess(given);
  await isOpen(next);
  await isGone(pid);
});

test('npm start ends everything on SIGTERM', async () => {
  const given = await settings();
  const launcher = run([launcherFile], given);
  await isOpen(launcher);
  const pid = postmasterPid(given.DATA_DIR);
  launcher.child.kill('SIGTERM');
  expect(await launcher.ended).toBe(0);
  await isGone(pid);
});

test('a shop whose launcher died finishes requests and leaves nothing behind', async () => {
  const { given, all, everything } = await startThroughNpm();
  const begun = await beginRequest(given);
  process.kill(all.launcher, 'SIGKILL');
  // The shop has noticed, and waits three seconds for this body.
  const isReady = () =>
    fetch(`http://127.0.0.1:${given.PORT}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { interval: 10 }).toBe(false);
  await begun.finish();
  for (const pid of everything) await isGone(pid);
});
