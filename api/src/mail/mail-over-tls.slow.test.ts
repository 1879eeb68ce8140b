import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { mailOutbox } from '#src/mail-outbox/schema.ts';
import { findMails } from '#src/mail-outbox/store.ts';
import { aProduct, signedInAs } from '#test/builders.ts';
import { loopbackCertificate } from '#test/loopback-certificate.ts';
import { startMailServer, type TestMailServer } from '#test/mail-server.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { startShop } from '#test/start-shop.ts';
import { useShop } from '#test/use-shop.ts';

/** Mail with implicit TLS (`smtps://`, usually port 465) and STARTTLS (`smtp://`, port 587). */

const clock = createMovableClock();
const shop = useShop({ clock });

/** Trusts the test certificate in this process, like NODE_EXTRA_CA_CERTS. */
function trustLoopback(): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, loopbackCertificate]);
  onTestFinished(() => setDefaultCACertificates(before));
}

/** A waiting mail, and a shop on the same database that sends through the server. */
async function prepare(server: TestMailServer, url = server.url) {
  await shop.db.delete(mailOutbox);
  const sender = await startShop({
    shareDatabaseWith: shop,
    clock,
    env: { ...server.env, SMTP_URL: url },
  });
  onTestFinished(async () => {
    await sender.close();
    await server.close();
  });
  const customer = await signedInAs(shop, 'user');
  await customer.orders(await aProduct(shop));
  return { sender, customer };
}

const readOutbox = async () => (await findMails(shop.db, {})).rows;

test.each(['smtps', 'starttls'] as const)('a mail is sent by TLS after a login: %s', async (tls) => {
  trustLoopback();
  const server = await startMailServer(tls);
  const { sender, customer } = await prepare(server);
  expect(await sender.services.mailer.sendDue()).toMatchObject({ sent: 1 });
  expect(server.to(customer.email)).toHaveLength(1);
  expect(server.overTls).toEqual([true]);
});

test.each(['smtps', 'starttls'] as const)(
  'a server with an untrusted certificate gets no mail: %s',
  async (tls) => {
    const server = await startMailServer(tls);
    const { sender } = await prepare(server);
    expect(await sender.services.mailer.sendDue()).toMatchObject({ retried: 1, dead: 0 });
    expect(await readOutbox()).toMatchObject([
      { state: 'waiting', lastError: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    ]);
    // The same mail is sent after the certificate is trusted.
    trustLoopback();
    clock.aheadMs += 60_000;
    expect(await sender.services.mailer.sendDue()).toMatchObject({ sent: 1 });
    expect(server.overTls).toEqual([true]);
  },
);

test('a trusted certificate for another name is refused', async () => {
  trustLoopback();
  const server = await startMailServer('smtps');
  // Also this machine, in a form that the certificate lacks.
  const { sender } = await prepare(server, server.url.replace('[::ffff:7f00:1]', '127.1'));
  expect(await sender.services.mailer.sendDue()).toMatchObject({ retried: 1 });
  expect(await readOutbox()).toMatchObject([{ state: 'waiting', lastError: 'ERR_TLS_CERT_ALTNAME_INVALID' }]);
  expect(server.attempts).toBe(0);
});

test('a refused password leaves the mail waiting', async () => {
  trustLoopback();
  const server = await startMailServer('starttls');
  const { sender } = await prepare(server, server.url.replace('shop:', 'shop:not-'));
  expect(await sender.services.mailer.sendDue()).toMatchObject({ retried: 1 });
  expect(await readOutbox()).toMatchObject([{ state: 'waiting', lastError: '535' }]);
});
