import { type ConnectionOptions, TLSSocket } from 'node:tls';
import type pg from 'pg';
import { readSocket } from '#src/platform/database/client.ts';
import { type Database, withOwnConnection } from '#src/platform/database/connection.ts';
import { isPooled, sharesSessions } from '#src/platform/database/pooler.ts';
import { type Finding, fails, note, QUESTION_MS, readReason, works } from './check.ts';

/** Fields of pg's client that its types omit. */
interface Inside {
  /** Derived from the address. */
  ssl: boolean | ConnectionOptions;
  /** Cancels its statements; fixed at the connection's start. */
}

const lookInside = (client: pg.ClientBase) => client as unknown as Inside;

/**
 * Checks TLS, finds a pooler, and tries change notifications.
 * @param hasDirectUrl whether `DATABASE_DIRECT_URL` is set
 */
export async function checkConnections(database: Database, hasDirectUrl: boolean): Promise<Finding[]> {
  const pooling = await inspectPooling(database);
  const tls = await withPooledClient(database, async (client) => [describeTls('DATABASE_URL', client)]);
  const directTls = hasDirectUrl
    ? await withOwnConnection(database, async (client) => [describeTls('DATABASE_DIRECT_URL', client)])
    : [];
  return [...tls, ...directTls, ...judgePooling({ ...pooling, hasDirectUrl }), await tryListening(database)];
}

/** Reads the socket: behind a pooler, the server knows only the pooler's connection. */
function describeTls(setting: string, client: pg.ClientBase): Finding {
  const socket = readSocket(client as pg.Client);
  if (!(socket instanceof TLSSocket)) {
    return note(
      `${setting}: the connection is not encrypted; where others share the network, PostgreSQL needs TLS.`,
    );
  }
  const { ssl } = lookInside(client);
  const isChecked = typeof ssl !== 'object' || ssl.rejectUnauthorized !== false;
  const encrypted = `${setting}: the connection is encrypted (${socket.getProtocol()})`;
  return isChecked
    ? works(`${encrypted}, and the server's certificate is checked.`)
    : note(
        `${encrypted}, but the server's certificate is not checked: an attacker on the network can take its place. Set DATABASE_CA to check it.`,
      );
}

interface Pooling {
  /** The responder does not run the statements itself. */
  isPooled: boolean;
  /** The pooler is in transaction mode. */
  sharesSessions: boolean;
  /** The direct (or only) connection leads through a pooler. */
  isDirectPooled: boolean;
}

async function inspectPooling(database: Database): Promise<Pooling> {
  return {
    isPooled: await withPooledClient(database, isPooled),
    sharesSessions: await sharesSessions(database.pool),
    isDirectPooled: await withOwnConnection(database, isPooled),
  };
}

export function judgePooling({
  isPooled,
  sharesSessions,
  isDirectPooled,
  hasDirectUrl,
}: Pooling & { hasDirectUrl: boolean }): Finding[] {
  if (hasDirectUrl && isDirectPooled) {
    return [fails('DATABASE_DIRECT_URL leads through a pooler: it has to lead past it.')];
  }
  if (!isPooled) {
    const needless = note('DATABASE_URL leads through no pooler: DATABASE_DIRECT_URL is not needed.');
    return hasDirectUrl ? [needless] : [];
  }
  if (hasDirectUrl) {
    const mode = sharesSessions ? ' in transaction mode' : '';
    return [works(`DATABASE_URL leads through a pooler${mode}, DATABASE_DIRECT_URL past it.`)];
  }
  return [
    sharesSessions
      ? fails(
          'DATABASE_URL leads through a pooler in transaction mode: DATABASE_DIRECT_URL has to name the server behind it.',
        )
      : note('DATABASE_URL leads through a pooler whose sessions last, as far as can be seen.'),
  ];
}

/** Listens on a separate connection and notifies through the pool, like the change feed. */
async function tryListening(database: Database): Promise<Finding> {
  const channel = 'parts_forge_doctor';
  try {
    await withOwnConnection(database, async (client) => {
      const { promise: received, resolve, reject } = Promise.withResolvers<void>();
      client.on('notification', () => resolve());
      client.on('error', reject);
      const timer = setTimeout(() => reject(new Error('nothing was received')), QUESTION_MS);
      try {
        await client.query(`listen ${channel}`);
        await database.pool.query(`notify ${channel}`);
        await received;
      } finally {
        clearTimeout(timer);
      }
    });
    return works('Other processes receive changes (LISTEN and NOTIFY).');
  } catch (error) {
    return fails(`Other processes do not receive changes (LISTEN and NOTIFY): ${readReason(error)}.`);
  }
}

async function withPooledClient<T>(
  { pool }: Database,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
