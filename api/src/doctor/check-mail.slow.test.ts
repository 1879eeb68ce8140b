import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { loopbackCertificate } from '#test/loopback-certificate.ts';
import { type MailServerTls, startMailServer } from '#test/mail-server.ts';
import { checkMail } from './check-mail.ts';

const origin = { ORIGIN: 'https://parts.example' };
const check = async (env: Record<string, string>) => {
  const config = readConfig({ ...origin, PAYMENTS: 'sandbox', ...env });
  return (await checkMail({ config, openDatabase: async () => null })).map(
    ({ verdict, sentence }) => `${verdict}: ${sentence.replace(/:\d+(?=[ ,])/, ':port')}`,
  );
};

async function startServer(tls: MailServerTls) {
  const server = await startMailServer(tls);
  onTestFinished(() => server.close());
  return server;
}

const trusted = getCACertificates('default');
beforeEach(() => setDefaultCACertificates([...trusted, loopbackCertificate]));
afterEach(() => setDefaultCACertificates(trusted));

test('the check finds nothing if no mail server is set', async () => {
  expect(await check({})).toEqual([]);
});

test.each(['smtps', 'starttls'] as const)('the check logs in by TLS and sends no mail: %s', async (tls) => {
  const server = await startServer(tls);
  expect(await check(server.env)).toEqual([
    'works: The mail server [::ffff:7f00:1]:port answers and takes user and password, by TLS with a certificate that this machine trusts.',
  ]);
  expect(server.attempts).toBe(0);
});

test('a server without TLS is noted', async () => {
  const server = await startServer('none');
  expect(await check(server.env)).toEqual([
    'note: The mail server 127.0.0.1:port answers, without TLS: an attacker on the network can read the links in mails.',
  ]);
});

test.each([
  ['a wrong password', 'shop:', 'shop:not-', 'refuses the user and password of SMTP_URL (535)'],
  [
    'another name',
    '[::ffff:7f00:1]',
    '127.1',
    'has a certificate for another name (ERR_TLS_CERT_ALTNAME_INVALID)',
  ],
])('%s fails without revealing the password', async (_, text, other, sentence) => {
  const server = await startServer('smtps');
  const [said = ''] = await check({ ...server.env, SMTP_URL: server.url.replace(text, other) });
  expect(said).toContain('fails: The mail server ');
  expect(said).toContain(`${sentence}.`);
  expect(said).not.toMatch(/secret|signs/);
});

test.each(['smtps', 'starttls'] as const)('an untrusted certificate fails: %s', async (tls) => {
  setDefaultCACertificates(trusted);
  const server = await startServer(tls);
  expect(await check(server.env)).toEqual([
    'fails: The mail server [::ffff:7f00:1]:port has a certificate that this machine does not trust (DEPTH_ZERO_SELF_SIGNED_CERT); NODE_EXTRA_CA_CERTS names a file with its authority.',
  ]);
});

test.each([
  ['starttls', 'smtp:', 'smtps:', 'does not begin with TLS'],
  ['smtps', 'smtps:', 'smtp:', 'does not greet'],
] as const)(
  '%s under the other protocol fails with advice',
  async (tls, right, wrong, sentence) => {
    const server = await startServer(tls);
    const [said = ''] = await check({ ...server.env, SMTP_URL: server.url.replace(right, wrong) });
    expect(said).toMatch(/^fails: The mail server /);
    expect(said).toContain(sentence);
    expect(said).toContain(`SMTP_URL begins with ${right}//`);
  },
  20_000,
);

test('a remote server without a user is noted', async () => {
  const server = await startServer('smtps');
  const SMTP_URL = server.url.replace(/\/\/.*@/, '//');
  expect(await check({ ...server.env, SMTP_URL })).toContain(
    'note: SMTP_URL has no user: whether the server takes mails without one is seen with the first mail.',
  );
});

test('the check sends no password to another machine without TLS', async () => {
  const server = await startServer('none');
  const SMTP_URL = server.url.replace('127.0.0.1', 'shop:secret@[::ffff:127.0.0.1]');
  const [said = ''] = await check({ ...server.env, SMTP_URL });
  expect(said).toMatch(/^fails: The mail server .+ offers no TLS, without which no password is sent/);
});

test('an unreachable server fails, and a missing ORIGIN is noted', async () => {
  expect(
    await check({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@parts.example', ORIGIN: '' }),
  ).toEqual([
    'fails: The mail server 127.0.0.1:port does not take mails: ECONNREFUSED.',
    'note: ORIGIN is not set: the links in mails lead to this machine.',
  ]);
});
