import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** How the server answers a whole mail: takes it, refuses it for now or for good, or never says a word. */
export type MailServerMood = 'takes' | 'busy' | 'refuses' | 'silent';

/** A real SMTP server on a port of this machine, without TLS. */
export interface TestMailServer {
  url: string;
  /** Settings with which a shop mails through it. */
  env: Record<string, string>;
  /** What it has taken, in the order in which that came. */
  mails: Email[];
  mood: MailServerMood;
  /** How often somebody began to hand over a mail, whatever became of it. */
  attempts: number;
  /** Mails that were taken, to this address. */
  to(address: string): Email[];
  /** Runs when a mail has arrived and before the server's answer to it. */
  beforeAnswer: () => Promise<void>;
  close(): Promise<void>;
}

const refusals = { busy: [451, 'Try again later'], refuses: [554, 'Never'] } as const;

export async function startMailServer(): Promise<TestMailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => void take(Buffer.concat(chunks)).then(done));
    },
  });
  const state: TestMailServer = {
    url: '',
    env: {},
    mails: [],
    mood: 'takes',
    attempts: 0,
    to: (address) =>
      state.mails.filter(({ to = [] }) => to.some((recipient) => recipient.address === address)),
    beforeAnswer: async () => {},
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  async function take(bytes: Buffer): Promise<Error | null> {
    state.attempts += 1;
    const { mood } = state;
    if (mood === 'silent') return new Promise(() => {});
    if (mood !== 'takes') {
      const [responseCode, message] = refusals[mood];
      return Object.assign(new Error(message), { responseCode });
    }
    state.mails.push(await PostalMime.parse(bytes));
    await state.beforeAnswer();
    return null;
  }
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  state.url = `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  state.env = { SMTP_URL: state.url, MAIL_FROM: 'Parts Forge <shop@partsforge.example>' };
  return state;
}
