import { beforeEach, expect, test } from 'vitest';
import { aCustomer, newEmail } from '#test/identity.ts';
import { startMailServer } from '#test/mail-server.ts';
import { prepared, useShop } from '#test/use-shop.ts';

const server = prepared(startMailServer, (s) => s.close());
const shop = useShop(() => ({ env: server.env }));
beforeEach(() => {
  server.mails.length = 0;
});

const askAgain = ({ email, token }: { email: string; token: string }) =>
  shop.request(`/user/${encodeURIComponent(email)}/verification`, { method: 'POST', token });

async function countMails(email: string): Promise<number> {
  await shop.services.mailer.sendDue();
  return server.to(email).length;
}

test('the verification mail contains no text of the registrant', async () => {
  const person = await aCustomer(shop);
  const name = 'Your prize waits at evil.example';
  await shop.pool.query('update users set name = $1 where email = $2', [name, person.email]);
  expect(await countMails(person.email)).toBe(1);
  const [mail] = server.to(person.email);
  expect(mail?.to).toEqual([{ name: '', address: person.email }]);
  expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toContain('prize');
});

/** Backdates the mails of all addresses. */
const letPass = (interval: string) =>
  shop.pool.query(
    `update identity.verification set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval
     where identifier like 'mailed-%'`,
    [interval],
  );

test('an early repeat learns when the next link is possible', async () => {
  const person = await aCustomer(shop);
  const early = await askAgain(person);
  expect(early.body).toMatchObject({ verified: false, mailed: false });
  expect(early.body.nextInSeconds).toBeLessThanOrEqual(60);
  await letPass('1 minute');
  const later = await askAgain(person);
  expect(later.body).toEqual({ verified: false, mailed: true, nextInSeconds: 60 });
  expect(await countMails(person.email)).toBe(2);
});

test('an address gets five links a day, even for a recreated account', async () => {
  const email = newEmail();
  const first = await aCustomer(shop, { email });
  for (let mails = 2; mails <= 4; mails += 1) {
    await letPass('10 minutes');
    expect((await askAgain(first)).body).toMatchObject({ mailed: true });
    expect(await countMails(email)).toBe(mails);
  }
  const path = `/user/${encodeURIComponent(email)}`;
  expect((await first.delete(path)).status).toBe(200);
  await letPass('10 minutes');
  const second = await aCustomer(shop, { email });
  expect(await countMails(email)).toBe(5);
  await letPass('10 minutes');
  const { body } = await askAgain(second);
  expect(body).toMatchObject({ verified: false, mailed: false });
  expect(body.nextInSeconds).toBeGreaterThan(23 * 3600);
  expect(await countMails(email)).toBe(5);
  await letPass('24 hours');
  expect((await askAgain(second)).body).toMatchObject({ mailed: true });
});
