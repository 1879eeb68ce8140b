import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { loopbackCertificate, loopbackKey } from './loopback-certificate.ts';

/** How the server answers a whole mail: takes it, refuses it for now or for good, or never says a word. */
export type MailServerMood = 'takes' | 'busy' | 'refuses' | 'silent';

/** A real SMTP server on a port of this machine. */
export interface TestMailServer {
  /** With user and password, where it asks for them. */
  url: string;
  /** Settings with which a shop mails through it. */
  env: Record<string, string>;
  /** What it has taken, in the order in which that came. */
  mails: Email[];
  mood: MailServerMood;
  /** Whether each mail that was taken came over TLS, in the order of `mails`. */
  overTls: boolean[];
  /** How often somebody began to hand over a mail, whatever became of it. */
  attempts: number;
  /** Mails that were taken, to this address. */
  to(address: string): Email[];
  /** Runs when a mail has arrived and before the server's answer to it. */
  beforeAnswer: () => Promise<void>;
  close(): Promise<void>;
}

const refusals = { busy: [451, 'Try again later'], refuses: [554, 'Never'] } as const;

/**
 * How the way to a server is kept secret: `none`, after STARTTLS (port 587 in life), or from its first byte on (465).
 * Its certificate is `loopbackCertificate`, and with TLS it asks for a password.
 */
export type MailServerTls = 'none' | 'starttls' | 'smtps';

const login = { user: 'shop', pass: 'a secret: with /signs@' };

/**
 * Answers at `[::ffff:7f00:1]`, which is this machine by a name that the shop does not take for it, where it speaks TLS.
 */
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
