import type pg from 'pg';
import { Client } from './client.ts';

/** How long after a failed attempt the next one is made. */
const RETRY_MS = 250;
/** How often the server is asked whether it is still there: a connection may also die without a word. */
const HEARTBEAT_MS = 2_000;
/** For the server to answer that, and to take a connection. */
const ANSWER_TIMEOUT_MS = 2_000;

export interface ListeningConnection {
  readonly isConnected: boolean;
  /** Whether the database can be reached: asked now, or as the last attempt to connect found it. Two seconds at most. */
  canReachDatabase(): Promise<boolean>;
  close(): Promise<void>;
}

interface Listeners {
  onNotification(payload: string): void;
  /** Notifications may have been missed: the connection broke, or is there again. */
  onGap(): void;
  /** Hears once of each connection that broke, and when the first one cannot be made. */
  onError(error: Error): void;
}

/** Listens on a connection of its own, which is opened again whenever it breaks. Returns after the first attempt. */
export async function openListeningConnection(
  connection: pg.ClientConfig,
  channel: string,
  { onNotification, onGap, onError }: Listeners,
): Promise<ListeningConnection> {
  let current: Client | null = null;
  let isClosed = false;
  let reachable = Promise.resolve(false);
  let retry: NodeJS.Timeout | undefined;
  let checking: Promise<void> | null = null;
  const heartbeat = setInterval(() => void check(), HEARTBEAT_MS);
  heartbeat.unref();

  async function connect(): Promise<Error | null> {
    const client = new Client({
      ...connection,
      application_name: 'parts-forge listener',
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', ({ payload = '' }) => onNotification(payload));
    let lost: Error | undefined;
    const handleLoss = (error = new Error('The listening connection ended')) => {
      lost ??= error;
      if (client === current) lose(error);
    };
    client.on('error', handleLoss).on('end', () => handleLoss());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      await assertWritable(client);
      if (lost) throw lost;
    } catch (error) {
      destroy(client);
      if (!isClosed) retryLater();
      return error as Error;
    }
    if (isClosed) {
      destroy(client);
      return null;
    }
    current = client;
    // What changed before the connection was there was not heard.
    onGap();
    return null;
  }

  function lose(error: Error): void {
    if (current) destroy(current);
    current = null;
    onGap();
    if (isClosed) return;
    onError(error);
    reachable = connect().then((failure) => failure === null);
  }

  function retryLater(): void {
    retry = setTimeout(async () => {
      if ((await connect()) === null) reachable = Promise.resolve(true);
    }, RETRY_MS);
    retry.unref();
  }

  /** Asks the server for an answer; many who want to know share one question. */
  function check(): Promise<void> {
    checking ??= ask().finally(() => {
      checking = null;
    });
    return checking;
  }

  async function ask(): Promise<void> {
    const client = current;
    try {
      if (client) await assertWritable(client);
    } catch (error) {
      if (client === current) lose(error as Error);
    }
  }

  const failure = await connect();
  if (failure) onError(failure);
  return {
    get isConnected() {
      return current !== null;
    },
    async canReachDatabase() {
      await check();
      return current !== null || (await reachable);
    },
    async close() {
      isClosed = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      const client = current;
      current = null;
      if (client) destroy(client);
    },
  };
}

/**
 * A server that was replaced by its standby may go on answering, and is told of no change any more.
 * @throws Error when the server does not answer, or takes no writes
 */
async function assertWritable(client: Client): Promise<void> {
  const { rows } = await client.query<{ isReadOnly: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  if (rows[0]?.isReadOnly) throw new Error('The server of the listening connection takes no writes');
}

/** Without the farewell that a server which does not answer would be waited for. */
const destroy = (client: Client) => void client.connection.stream.destroy();
