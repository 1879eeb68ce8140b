import { MailRefused, openMailServer } from '#src/mail/smtp.ts';
import { isLoopback } from '#src/platform/core/config/server.ts';
import { type Finding, fails, note, QUESTION_MS, readReason, type Visit, works } from './check.ts';

/** Connects and logs in as for a mail, and sends nothing. */
export async function checkMail({ config: { smtp, origin } }: Visit): Promise<Finding[]> {
  if (smtp === null) return [];
  const server = describeServer(smtp.url);
  const missing = note('ORIGIN is not set: the links in mails lead to this machine.');
  return [await tryLogIn(smtp, server), ...describeLogin(server), ...(origin === null ? [missing] : [])];
}

/** A greeting does not show whether a login is needed. */
const describeLogin = ({ address, hasUser }: ReturnType<typeof describeServer>): Finding[] =>
  hasUser || isLoopback(`http://${address}`)
    ? []
    : [note('SMTP_URL has no user: whether the server takes mails without one is seen with the first mail.')];

async function tryLogIn(
  smtp: Parameters<typeof openMailServer>[0],
  { address, hasUser, isSecure }: ReturnType<typeof describeServer>,
): Promise<Finding> {
  try {
    // Twice: a server without TLS gets a second, plain attempt.
    const { isEncrypted } = await openMailServer(smtp, QUESTION_MS).verify(
      AbortSignal.timeout(2 * QUESTION_MS),
    );
    const taken = `The mail server ${address} answers${hasUser ? ' and takes user and password' : ''}`;
    return isEncrypted
      ? works(`${taken}, by TLS with a certificate that this machine trusts.`)
      : note(`${taken}, without TLS: an attacker on the network can read the links in mails.`);
  } catch (error) {
    return fails(`The mail server ${address} ${explain(error, isSecure)}.`);
  }
}

/** Omits the server's own text, which may quote the password. */
function explain(error: unknown, isSecure: boolean): string {
  if (!(error instanceof MailRefused)) return `cannot be used: ${readReason(error)}`;
  const { reason } = error;
  if (reason === '535' || reason === 'EAUTH') return `refuses the user and password of SMTP_URL (${reason})`;
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') return `has a certificate for another name (${reason})`;
  if (reason.includes('CERT') || reason.includes('VERIFY_LEAF')) {
    return `has a certificate that this machine does not trust (${reason}); NODE_EXTRA_CA_CERTS names a file with its authority`;
  }
  if (reason === 'ETLS') return `offers no TLS, without which no password is sent (${reason})`;
  if (reason === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return `does not begin with TLS (${reason}): for port 587 SMTP_URL begins with smtp://`;
  }
  if (reason === 'ETIMEDOUT' && !isSecure) {
    return `does not greet (${reason}): for port 465 SMTP_URL begins with smtps://`;
  }
  return `does not take mails: ${reason}`;
}

/** Omits user and password. */
function describeServer(url: string): { address: string; hasUser: boolean; isSecure: boolean } {
  const { host, username, protocol } = new URL(url);
  return { address: host, hasUser: username !== '', isSecure: protocol === 'smtps:' };
}
