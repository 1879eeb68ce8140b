import { Socket } from 'node:net';
import type { MailAddress, MailConfig } from '#src/platform/core/config/mail.ts';
import { isLoopback } from '#src/platform/core/config/server.ts';

/** For one mail from the first look-up to the server's word; an outbox tries again after a minute at the earliest. */
const SEND_TIMEOUT_MS = 30_000;

export interface OutgoingMail {
  /** The same for every attempt, so that whoever gets a mail twice can tell. */
  messageId: string;
  to: MailAddress;
  subject: string;
  text: string;
  html: string;
}

/** Why a mail was not taken. */
export class MailRefused extends Error {
  /**
   * The kind of failure, such as `ETIMEDOUT`, `DEPTH_ZERO_SELF_SIGNED_CERT` or the server's `550`; never its words, which
   * may have an address.
   */
  readonly reason: string;
  /** The server will never take it, so it is not tried again. */
  readonly isFinal: boolean;
  constructor(reason: string, isFinal: boolean, cause: unknown) {
    super(`The mail server did not take the mail: ${reason}`, { cause });
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

export interface MailServer {
  /**
   * Resolves when the server has taken the mail, in half a minute at most.
   * @param signal cuts the connection
   * @throws MailRefused
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  /**
   * Connects and logs in as for a mail, and sends none.
   * @returns whether mails go there by TLS
   * @throws MailRefused
   */
  verify(signal: AbortSignal): Promise<{ isEncrypted: boolean }>;
}

/**
 * The mail server of the settings, over a connection of its own for each mail: the shop sends few, and a connection that
 * is kept would have to be watched.
 */
export function openMailServer(
  { url, from }: NonNullable<MailConfig['smtp']>,
  timeoutMs = SEND_TIMEOUT_MS,
): MailServer {
  const options = readSmtpUrl(url);
  const connect = createConnector(options, timeoutMs);
  return {
    send({ to, ...mail }, signal) {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      return connect((transport) => transport.sendMail({ ...mail, from, to, headers }), signal);
    },
    async verify(signal) {
      const logIn = (more?: Partial<SmtpOptions>) => connect((transport) => transport.verify(), signal, more);
      try {
        await logIn({ requireTLS: true });
        return { isEncrypted: true };
      } catch (error) {
        if (options.secure || options.requireTLS) throw error;
      }
      // The library does not tell whether it has taken up the server's offer of TLS.
      await logIn();
      return { isEncrypted: false };
    },
  };
}

type SmtpOptions = ReturnType<typeof readSmtpUrl>;
type Transport = ReturnType<typeof import('nodemailer').createTransport>;

/** @returns works on a connection of its own, until the signal cuts it or the time is over; throws MailRefused */
function createConnector(options: SmtpOptions, timeoutMs: number) {
  return async (
    work: (transport: Transport) => Promise<unknown>,
    signal: AbortSignal,
    more: Partial<SmtpOptions> = {},
  ): Promise<void> => {
    // Loaded with the first mail: no start has to wait for it.
    const { createTransport } = await import('nodemailer');
    // The library bounds each step by itself but not their sum, and a server may answer a byte a minute.
    const socket = new Socket();
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    if (deadline.aborted) throw toMailRefused(deadline.reason, true);
    socket.on('error', () => {});
    const tooLate = new Promise<never>((_, reject) => {
      deadline.addEventListener('abort', () => reject(new Error('The time for the mail is over')));
    });
    const transport = createTransport({ ...options, ...more, socket, socketCloseTimeout: 0 });
    try {
      // The library itself would wait for ever where the connection is cut before it is there.
      await Promise.race([work(transport), tooLate]);
    } catch (error) {
      throw toMailRefused(error, deadline.aborted);
    } finally {
      socket.destroy();
    }
  };
}

/** A password and the links in mails must not be read on their way: only this machine is trusted without TLS. */
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
    /** What stands behind a `code` that the library gives to every failure of a connection. */
    originalCode: string;
    responseCode: number;
    command: string;
  }>;
  if (isTooLate) return new MailRefused('ETIMEDOUT', false, error);
  const isAboutMail = command === 'RCPT TO' || command === 'DATA';
  const isUnusable = command === 'API';
  const isFinal = isUnusable || (isAboutMail && responseCode !== undefined && responseCode >= 500);
  // A server without TLS answers STARTTLS with a code that says nothing of TLS.
  const answer = code === 'ETLS' ? undefined : responseCode;
  return new MailRefused(String(answer ?? originalCode ?? code ?? 'unknown'), isFinal, error);
}
