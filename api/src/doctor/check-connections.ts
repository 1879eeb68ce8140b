import { type ConnectionOptions, TLSSocket } from 'node:tls';
import type pg from 'pg';
import { readSocket } from '#src/platform/database/client.ts';
import { type Database, withOwnConnection } from '#src/platform/database/connection.ts';
import { isPooled, sharesSessions } from '#src/platform/database/pooler.ts';
import { type Finding, fails, note, QUESTION_MS, readReason, works } from './check.ts';

/** What pg's client has and its types do not tell. */
interface Inside {
  /** What it has made of the address. */
  ssl: boolean | ConnectionOptions;
  /** The number by which its statements can be cancelled, from the start of the connection. */
}

const lookInside = (client: pg.ClientBase) => client as unknown as Inside;

/**
 * The ways to a PostgreSQL of one's own: TLS as the shop itself sees it, a pooler in between, and that changes are heard
 * of.
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

/** Behind a pooler the server would tell how the pooler has come to it. */
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
        `${encrypted}, but the server's certificate is not checked: whoever is on the way can take its place. DATABASE_CA has it checked.`,
      );
}

interface Pooling {
  /** Who answers is not the process of PostgreSQL that runs the statements. */
  isPooled: boolean;
  /** The pooler is in transaction mode. */
  sharesSessions: boolean;
  /** The direct way, or the only one, leads through a pooler. */
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

/** As processes of the shop hear of each other's changes: listening on a connection of its own, told through the pool. */
async function tryListening(database: Database): Promise<Finding> {
  const channel = 'parts_forge_doctor';
  try {
    await withOwnConnection(database, async (client) => {
      const { promise: heard, resolve, reject } = Promise.withResolvers<void>();
      client.on('notification', () => resolve());
      client.on('error', reject);
      const timer = setTimeout(() => reject(new Error('nothing was heard')), QUESTION_MS);
      try {
        await client.query(`listen ${channel}`);
        await database.pool.query(`notify ${channel}`);
        await heard;
      } finally {
        clearTimeout(timer);
      }
    });
    return works('What one process changes is heard by the others (LISTEN and NOTIFY).');
  } catch (error) {
    return fails(
      `What one process changes is not heard by the others (LISTEN and NOTIFY): ${readReason(error)}.`,
    );
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
