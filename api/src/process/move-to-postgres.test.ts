import { expect, test } from 'vitest';
import { register } from '#test/backups.ts';
import { startOwnedPostgres } from '#test/owned-postgres.ts';
import { isOpen, run, settings, startShopProcess } from '#test/processes.ts';

const moveTo = (env: Record<string, string>, ...args: string[]) =>
  run(['api/src/process/move-to-postgres.ts', ...args], env);

test('npm run move-to-postgres moves a stopped shop and closes the old one', async () => {
  const { url: address, connection } = await startOwnedPostgres();
  const { port, database, password = '' } = connection;
  const given = { ...(await settings()), SEED: 'demo' };
  const url = `http://127.0.0.1:${given.PORT}`;
  const here = startShopProcess(given);
  await isOpen(here);
  const { token, email } = await register(url);

  const beside = moveTo(given, address);
  expect(await beside.ended).toBe(1);
  expect(beside.said()).toContain('Another shop is using this data folder');

  here.child.kill('SIGTERM');
  expect(await here.ended).toBe(0);
  for (const said of ['Carrying the rows over …', 'The shop is there already; comparing …']) {
    const move = moveTo(given, address);
    expect(await move.ended, move.said()).toBe(0);
    expect(move.said()).toContain(said);
    expect(move.said()).toContain(`The shop is in localhost:${port}/${database}: `);
    expect(move.said()).not.toContain(password);
  }

  const again = startShopProcess(given);
  expect(await again.ended).toBe(1);
  expect(again.said()).toContain(`This shop has moved to localhost:${port}/${database}: set DATABASE_URL.`);

  const there = startShopProcess({ ...given, DATABASE_URL: address });
  await isOpen(there);
  // The earlier token is valid, and the pictures are unchanged.
  const mine = await fetch(`${url}/order?email=${email}`, { headers: { authorization: `Bearer ${token}` } });
  expect(mine.status).toBe(200);
  const [product] = await (await fetch(`${url}/product?limit=1`)).json();
  expect((await fetch(url + product.image)).status).toBe(200);
});
