import { Socket } from 'node:net';
import type { MailAddress, MailConfig } from '#src/platform/core/config/mail.ts';
import { isLoopback } from '#src/platform/core/config/server.ts';

/** From DNS lookup to acceptance; must stay below the outbox's first retry after a minute. */
const SEND_TIMEOUT_MS = 30_000;

export interface OutgoingMail {
  /** Equal in all attempts, to reveal duplicates. */
  messageId: string;
  to: MailAddress;
  /** The sender, if it is not given. */
  replyTo?: MailAddress;
  subject: string;
  text: string;
  html: string;
  /** Pictures that the HTML shows by their `cid`. */
  attachments?: { cid: string; filename: string; contentDisposition: 'inline'; content: Buffer }[];
}

export class MailRefused extends Error {
  /**
   * `ETIMEDOUT`, `DEPTH_ZERO_SELF_SIGNED_CERT` or the server's `550`. Never its text, which may contain an
   * address.
   */
  readonly reason: string;
  readonly isFinal: boolean;
  constructor(reason: string, isFinal: boolean, cause: unknown) {
    super(`The mail server did not take the mail: ${reason}`, { cause });
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

export type MailServer = ReturnType<typeof openMailServer>;

/** One connection per mail: a persistent one would need monitoring. */
export function openMailServer({ url, from }: NonNullable<MailConfig['smtp']>, timeoutMs = SEND_TIMEOUT_MS) {
  const options = readSmtpUrl(url);
  const connect = createConnector(options, timeoutMs);
  return {
    /**
     * Resolves after the server's acceptance, within 30 s.
     * @param signal cuts the connection
     * @throws MailRefused
     */
    send({ to, ...mail }: OutgoingMail, signal: AbortSignal): Promise<void> {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      return connect((transport) => transport.sendMail({ ...mail, from, to, headers }), signal);
    },
    /**
     * Connects and logs in without a mail.
     * @returns whether the connection uses TLS
     * @throws MailRefused
     */
    async verify(signal: AbortSignal): Promise<{ isEncrypted: boolean }> {
      const logIn = (more?: Partial<SmtpOptions>) => connect((transport) => transport.verify(), signal, more);
      try {
        await logIn({ requireTLS: true });
        return { isEncrypted: true };
      } catch (error) {
        if (options.secure || options.requireTLS) throw error;
      }
      // The library does not reveal whether it used STARTTLS.
      await logIn();
      return { isEncrypted: false };
    },
  };
}

type SmtpOptions = ReturnType<typeof readSmtpUrl>;
type Transport = ReturnType<typeof import('nodemailer').createTransport>;

/** @returns runs work on its own connection, until signal or timeout; throws MailRefused */
function createConnector(options: SmtpOptions, timeoutMs: number) {
  return async (
    work: (transport: Transport) => Promise<unknown>,
    signal: AbortSignal,
    more: Partial<SmtpOptions> = {},
  ): Promise<void> => {
    // Loaded with the first mail.
    const { createTransport } = await import('nodemailer');
    // The library limits each step but not the total.
    const socket = new Socket();
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    if (deadline.aborted) throw toMailRefused(deadline.reason, true);
    socket.on('error', () => {});
    const tooLate = new Promise<never>((_, reject) => {
      deadline.addEventListener('abort', () => reject(new Error('The time for the mail is over')));
    });
    const transport = createTransport({ ...options, ...more, socket, socketCloseTimeout: 0 });
    try {
      // The library would wait forever for a connection cut before it opens.
      await Promise.race([work(transport), tooLate]);
    } catch (error) {
      throw toMailRefused(error, deadline.aborted);
    } finally {
      socket.destroy();
    }
  };
}

/** Passwords and links need TLS, except to this machine. */
function readSmtpUrl(text: string) {
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isLoopback(`http://${url.host}`),
    ...(user !== '' && { auth: { user, pass } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function toMailRefused(error: unknown, isTooLate: boolean): MailRefused {
  const { code, originalCode, responseCode, command } = error as Partial<{
    code: string;
    /** The cause behind the library's generic `code`. */
    originalCode: string;
    responseCode: number;
    command: string;
  }>;
  if (isTooLate) return new MailRefused('ETIMEDOUT', false, error);
  const isAboutMail = command === 'RCPT TO' || command === 'DATA';
  const isUnusable = command === 'API';
  const isFinal = isUnusable || (isAboutMail && responseCode !== undefined && responseCode >= 500);
  // A server without TLS rejects STARTTLS with an unrelated code.
  const answer = code === 'ETLS' ? undefined : responseCode;
  return new MailRefused(String(answer ?? originalCode ?? code ?? 'unknown'), isFinal, error);
}
