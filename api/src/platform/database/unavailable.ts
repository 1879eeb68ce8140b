import pg from 'pg';

/**
 * PostgreSQL's transient errors: connections (class 08), resources (53), cancellation, shutdown, crash or
 * start (57), timeouts, read-only after a failover (25006). Login and missing-database errors (28000,
 * 28P01, 3D000) count too: they worked before.
 */
const serverCode = /^(08...|53...|57014|57P0.|55P03|25006|25P03|25P04|28000|28P01|3D000)$/;
const systemCode =
  /^E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|AI_AGAIN|NOTFOUND)$/;
/** pg's messages without codes. */
const driverMessage =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout)|Connection terminated|is not queryable|after calling end on the pool/;
/** Drizzle, Better Auth and pg wrap each other. */
const DEEPEST_CAUSE = 5;

export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  const name = typeof code === 'string' ? code : '';
  if (serverCode.test(name) || systemCode.test(name) || driverMessage.test(error.message)) return true;
  // Missing files have these codes too, but no `connect`.
  if (/^(ENOENT|EACCES)$/.test(name) && syscall === 'connect') return true;
  if (
    error instanceof AggregateError &&
    error.errors.some((each) => isDatabaseUnavailable(each, depth + 1))
  ) {
    return true;
  }
  return isDatabaseUnavailable(error.cause, depth + 1);
}

const TOOK_TOO_LONG = ['57014', '55P03'];

/** For a statement that is its own transaction. Otherwise the outcome may be open. */
export function wasRolledBack(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return TOOK_TOO_LONG.includes(error.code ?? '') || !isDatabaseUnavailable(error);
}
