import { afterEach, expect, test } from 'vitest';
import { withOwnConnection } from '#src/platform/database/connection.ts';
import { signedInAs } from '#test/builders.ts';
import { useShop } from '#test/use-shop.ts';
import { awaitWaiting } from '#test/waiting-statements.ts';

// This test does not measure time.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000' } });
afterEach(() => {
  expect(shop.services.database.counts.repeated).toBe(0);
});

test.each([
  ['refused', 401],
  ['removed with them', 200],
])("a review sent during its writer's account deletion is %s", async (_what, expected) => {
  const { userId, email, name, token } = await signedInAs(shop, 'user');
  const body = { email, name, rating: 5, description: 'Fits.' };
  const write = () => shop.request('/review', { method: 'POST', token, body });
  const remove = () => shop.request(`/user/${encodeURIComponent(email)}`, { method: 'DELETE', token });
  const [first, second] = expected === 401 ? [remove, write] : [write, remove];
  await withOwnConnection(shop.services.database, async (client) => {
    await client.query('begin');
    await client.query("select pg_advisory_xact_lock(hashtextextended('reviews ' || $1::text, 0))", [userId]);
    const sent = [first()];
    await awaitWaiting(client, 1);
    sent.push(second());
    await awaitWaiting(client, 2);
    await client.query('commit');
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses).toEqual([200, expected]);
  });
  const { rowCount } = await shop.services.database.pool.query('select from reviews where user_id = $1', [
    userId,
  ]);
  expect(rowCount).toBe(0);
});
