import { beforeEach, describe, expect, it } from 'vitest';
import { users } from '#src/users/schema.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { expectRefusal, readCode } from '#test/paying.ts';
import { useShop } from '#test/use-shop.ts';

let admin: Person;

const shop = useShop();
const neighbour = useShop({ shareDatabaseWith: shop });
beforeEach(async () => {
  await shop.db.update(users).set({ role: 'user' });
  admin = await signedInAs(shop, 'admin');
});

const changeRole = ({ email }: Person, role: string, by: Person, on = shop) =>
  on.request(`/user/admin/${email}`, { method: 'PUT', token: by.token, body: { role } });
const countAdmins = () =>
  shop.pool
    .query("select count(*)::int as count from users where role = 'admin' and deleted_at is null")
    .then(({ rows }) => rows[0].count);

describe('PUT /user/admin/{email} with role user', () => {
  it('a demotion takes effect at the next request and is repeatable', async () => {
    const other = await signedInAs(shop, 'admin');
    for (const on of [shop, neighbour]) {
      expect((await on.request('/user', { token: other.token })).status).toBe(200);
    }
    const first = await changeRole(other, 'user', admin);
    expect([first.status, first.body.result]).toEqual([
      200,
      { acknowledged: true, matchedCount: 1, modifiedCount: 1 },
    ]);
    expectRefusal(await other.get('/user'), 403, 'admin-needed');
    await expect
      .poll(async () => (await neighbour.request('/user', { token: other.token })).status)
      .toBe(403);
    expect((await changeRole(other, 'user', admin)).body.result.modifiedCount).toBe(0);
  });

  it('demoting a customer changes nothing, and an unknown address gets 404', async () => {
    const customer = await signedInAs(shop, 'user');
    expect((await changeRole(customer, 'user', admin)).body.result).toEqual({
      acknowledged: true,
      matchedCount: 1,
      modifiedCount: 0,
    });
    expect((await changeRole({ ...customer, email: 'nobody@field.example' }, 'user', admin)).status).toBe(
      404,
    );
  });

  it('the last administrator stays one', async () => {
    expectRefusal(await changeRole(admin, 'user', admin), 409, 'last-admin');
    expect((await admin.get('/user')).status).toBe(200);
  });

  it('an administrator can step down while another remains', async () => {
    await signedInAs(shop, 'admin');
    expect((await changeRole(admin, 'user', admin)).status).toBe(200);
  });

  it('mutual demotions in two processes leave one administrator', async () => {
    for (let round = 0; round < 10; round += 1) {
      await shop.db.update(users).set({ role: 'user' });
      const [one, other] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'admin')];
      const answers = await Promise.all([
        changeRole(other, 'user', one),
        changeRole(one, 'user', other, neighbour),
      ]);
      expect(await countAdmins()).toBe(1);
      for (const answer of answers) {
        expect(['200', '403 admin-needed', '409 last-admin']).toContain(
          answer.status === 200 ? '200' : `${answer.status} ${readCode(answer)}`,
        );
      }
    }
  });

  it('one administrator remains when all step down at once', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => signedInAs(shop, 'admin')));
    const all = [admin, ...others];
    const answers = await Promise.all(all.map((person) => changeRole(person, 'user', person)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await countAdmins()).toBe(1);
  });
});
