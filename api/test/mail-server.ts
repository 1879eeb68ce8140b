import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { loopbackCertificate, loopbackKey } from './loopback-certificate.ts';

/** `busy`: refused temporarily. */
export type MailServerMood = 'takes' | 'busy' | 'refuses' | 'silent';

/** A real local SMTP server. */
export interface TestMailServer {
  /** With user and password if required. */
  url: string;
  env: Record<string, string>;
  /** In order of arrival. */
  mails: Email[];
  mood: MailServerMood;
  /** In the order of `mails`. */
  overTls: boolean[];
  /** Attempted deliveries. */
  attempts: number;
  /** Accepted mails to this address. */
  to(address: string): Email[];
  /** Before the server answers a mail. */
  beforeAnswer: () => Promise<void>;
  close(): Promise<void>;
}

const refusals = { busy: [451, 'Try again later'], refuses: [554, 'Never'] } as const;

/**
 * STARTTLS (usual port 587), or TLS from the first byte (465). Both use `loopbackCertificate` and require a
 * password.
 */
export type MailServerTls = 'none' | 'starttls' | 'smtps';

const login = { user: 'shop', pass: 'a secret: with /signs@' };

/** With TLS at `[::ffff:7f00:1]`, which the shop does not recognize as loopback. */
export async function startMailServer(tls: MailServerTls = 'none'): Promise<TestMailServer> {
  const server = new SMTPServer({
    authOptional: tls === 'none',
    disabledCommands: { none: ['STARTTLS', 'AUTH'], starttls: [], smtps: [] }[tls],
    secure: tls === 'smtps',
    cert: loopbackCertificate,
    key: loopbackKey,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const isRight = username === login.user && password === login.pass;
      done(isRight ? null : new Error('Not this one'), { user: username });
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => void take(Buffer.concat(chunks), session.secure).then(done));
    },
  });
  const state: TestMailServer = {
    url: '',
    env: {},
    mails: [],
    mood: 'takes',
    overTls: [],
    attempts: 0,
    to: (address) =>
      state.mails.filter(({ to = [] }) => to.some((recipient) => recipient.address === address)),
    beforeAnswer: async () => {},
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  async function take(bytes: Buffer, isSecure: boolean): Promise<Error | null> {
    state.attempts += 1;
    const { mood } = state;
    if (mood === 'silent') return new Promise(() => {});
    if (mood !== 'takes') {
      const [responseCode, message] = refusals[mood];
      return Object.assign(new Error(message), { responseCode });
    }
    state.mails.push(await PostalMime.parse(bytes));
    state.overTls.push(isSecure);
    await state.beforeAnswer();
    return null;
  }
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const user = `${login.user}:${encodeURIComponent(login.pass)}`;
  state.url =
    tls === 'none'
      ? `smtp://127.0.0.1:${port}`
      : `${tls === 'smtps' ? 'smtps' : 'smtp'}://${user}@[::ffff:7f00:1]:${port}`;
  state.env = { SMTP_URL: state.url, MAIL_FROM: 'Parts Forge <shop@partsforge.example>' };
  return state;
}
