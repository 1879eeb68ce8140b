import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { aLink, openLink } from '#test/downloads.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { awaitWaiting, whileLocked } from '#test/waiting-statements.ts';
import { openFile } from './open-file.ts';

let lines: string[] = [];
// Time limits do not matter here.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000' }, onLine: (line) => lines.push(line) });
const admin = usePerson(shop, 'admin');
afterEach(() => {
  lines = [];
});

const aStockList = () => aLink(admin, { what: 'stock' });
const listDownloaded = () => lines.filter((line) => line.includes('a file is downloaded'));
const holdLinks = ['select from downloads for update'] as const;

/** Opens the file without waiting for it. */
function leaveEarly(link: string) {
  const asked = request(shop.url + link, { agent: false })
    .on('error', () => {})
    .end();
  return { leave: () => asked.destroy() };
}

test('an early disconnect frees the place and stops the work', async () => {
  const links = [await aStockList(), await aStockList()];
  await whileLocked(shop, holdLinks, async (client) => {
    const readers = links.map(leaveEarly);
    await awaitWaiting(client, 2);
    const next = await aStockList();
    expect((await openLink(shop, next)).status).toBe(429);
    for (const { leave } of readers) leave();
    await expect.poll(async () => (await openLink(shop, next)).status).toBe(200);
    expect(listDownloaded()).toHaveLength(1);
  });
  await expect.poll(() => shop.pool.totalCount - shop.pool.idleCount).toBe(0);
  expect(listDownloaded()).toHaveLength(1);
  // A link that gave nothing stays valid.
  for (const link of links) {
    await expect.poll(async () => (await openLink(shop, link)).status).toBe(200);
  }
});

test('no invoice is rendered for a disconnected reader', async () => {
  const { customer, order } = await aPendingOrder(shop);
  const reader = { ...customer, role: 'user' as const, lacksSecondFactor: false, key: null };
  const draw = (hasGone: boolean) =>
    openFile(shop.services, reader, { what: 'invoice', order: order._id }, () => hasGone);
  expect(await draw(true)).toBeNull();
  expect(await draw(false)).toMatchObject({ type: 'application/pdf' });
});

test('a list is not read on after its reader disconnects', async () => {
  await shop.pool.query(
    `insert into trail (id, event, topic, actor, request_id, after)
     select gen_random_uuid(), 'role-changed', 'people', 'system', gen_random_uuid(),
       jsonb_build_object('role', repeat('x', 8000))
     from generate_series(1, 12000)`,
  );
  let statements = 0;
  shop.pool.on('acquire', () => {
    statements += 1;
  });
  const countStatements = async (read: (response: Response) => Promise<unknown>) => {
    const before = statements;
    await read(await fetch(shop.url + (await aLink(admin, { what: 'activity' }))));
    // Another file is read to its end in the meantime.
    expect((await openLink(shop, await aStockList())).status).toBe(200);
    await expect.poll(() => shop.pool.totalCount - shop.pool.idleCount).toBe(0);
    return statements - before;
  };
  const whole = await countStatements((response) => response.arrayBuffer());
  const begun = await countStatements(async ({ body }) => {
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();
  });
  expect(begun).toBeLessThan(whole / 2);
});
