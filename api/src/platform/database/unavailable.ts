import pg from 'pg';

/**
 * PostgreSQL's codes for what is not the statement's fault and may go well a moment later: connections (class 08), too
 * many of them or no room (53), cancelled, shut down, crashed or starting (57), a lock or an idle transaction that took
 * too long, a server that takes no writes because another one has taken its place (25006). A role that may not log in, a
 * wrong password or a missing database (28000, 28P01, 3D000) mean so, too: the shop has worked with them before.
 */
const serverCode = /^(08...|53...|57014|57P0.|55P03|25006|25P03|25P04|28000|28P01|3D000)$/;
/** The operating system's codes for a connection that cannot be made or broke. */
const systemCode =
  /^E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|AI_AGAIN|NOTFOUND)$/;
/** pg's own words, which have no codes. */
const driverMessage =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout)|Connection terminated|is not queryable|after calling end on the pool/;
/** Drizzle, Better Auth and pg wrap each other. */
const DEEPEST_CAUSE = 5;

/** Whether an error, or what caused it, means that the database does not answer now; the caller may try again later. */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  const name = typeof code === 'string' ? code : '';
  if (serverCode.test(name) || systemCode.test(name) || driverMessage.test(error.message)) return true;
  // Of a file that is missing, too; only a socket is connected to.
  if (/^(ENOENT|EACCES)$/.test(name) && syscall === 'connect') return true;
  if (
    error instanceof AggregateError &&
    error.errors.some((each) => isDatabaseUnavailable(each, depth + 1))
  ) {
    return true;
  }
  return isDatabaseUnavailable(error.cause, depth + 1);
}

/** PostgreSQL's codes for a statement that it gave up because it, or a lock that it waited for, took too long. */
const TOOK_TOO_LONG = ['57014', '55P03'];

/**
 * Whether a statement that was its own transaction has certainly written nothing: the server itself has refused it, and
 * goes on. A connection that broke, or a commit that was not confirmed, leaves that open.
 */
export function wasRolledBack(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return TOOK_TOO_LONG.includes(error.code ?? '') || !isDatabaseUnavailable(error);
}
