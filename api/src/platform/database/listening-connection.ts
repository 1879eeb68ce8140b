import type pg from 'pg';
import { Client } from './client.ts';

/** How long after a failed attempt the next one is made. */
const RETRY_MS = 250;
/** How often the server is asked the question of the heartbeat: a connection may also die without a word. */
const HEARTBEAT_MS = 250;
/** For the server to answer that, and to take a connection. */
const ANSWER_TIMEOUT_MS = 2_000;

interface Listeners {
  onNotification(payload: string): void;
  /** What the server is asked again and again; its answer is a row with a number. */
  heartbeat: string;
  /** Hears the answer, after every notification that came before it. */
  onHeartbeat(answer: number): void;
  /** Notifications may have been missed: the connection broke, or is there again. */
  onGap(): void;
  /** Hears once of each connection that broke, and when the first one cannot be made. */
  onError(error: Error): void;
}

/** A connection that listens, and is opened again whenever it breaks. */
export class ListeningConnection {
  readonly #connection: pg.ClientConfig;
  readonly #channel: string;
  readonly #listeners: Listeners;
  readonly #heartbeat: NodeJS.Timeout;
  #current: Client | null = null;
  #isClosed = false;
  /** What the last attempt to connect came to. */
  #reachable = Promise.resolve(false);
  #retry: NodeJS.Timeout | undefined;
  #checking: Promise<void> | null = null;

  private constructor(connection: pg.ClientConfig, channel: string, listeners: Listeners) {
    this.#connection = connection;
    this.#channel = channel;
    this.#listeners = listeners;
    this.#heartbeat = setInterval(() => void this.#check(), HEARTBEAT_MS).unref();
  }

  /** Returns after the first attempt, whatever it came to. */
  static async open(
    connection: pg.ClientConfig,
    channel: string,
    listeners: Listeners,
  ): Promise<ListeningConnection> {
    const listening = new ListeningConnection(connection, channel, listeners);
    const failure = await listening.#connect();
    if (failure) listeners.onError(failure);
    return listening;
  }

  get isConnected(): boolean {
    return this.#current !== null;
  }

  /** Whether the database can be reached: asked now, or as the last attempt to connect found it. Two seconds at most. */
  async canReachDatabase(): Promise<boolean> {
    await this.#check();
    return this.isConnected || (await this.#reachable);
  }

  /** May be repeated. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#retry);
    const client = this.#current;
    this.#current = null;
    if (client) destroy(client);
  }

  async #connect(): Promise<Error | null> {
    const client = this.#createClient();
    let lost: Error | undefined;
    const handleLoss = (error = new Error('The listening connection ended')) => {
      lost ??= error;
      if (client === this.#current) this.#lose(error);
    };
    client.on('error', handleLoss).on('end', () => handleLoss());
    let first: number;
    try {
      await client.connect();
      await client.query(`listen ${this.#channel}`);
      first = await this.#askNumber(client);
      if (lost) throw lost;
    } catch (error) {
      destroy(client);
      if (!this.#isClosed) this.#retryLater();
      return error as Error;
    }
    if (this.#isClosed) {
      destroy(client);
      return null;
    }
    this.#current = client;
    // What changed before the connection was there was not heard.
    this.#listeners.onGap();
    this.#listeners.onHeartbeat(first);
    return null;
  }

  #createClient(): Client {
    const client = new Client({
      ...this.#connection,
      application_name: 'parts-forge listener',
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('notification', ({ payload = '' }) => this.#listeners.onNotification(payload));
    return client;
  }

  /**
   * A server that was replaced by its standby may go on answering, and is told of no change any more.
   * @throws Error when the server does not answer, or takes no writes
   */
  async #askNumber(client: Client): Promise<number> {
    const { rows } = await client.query<{ number: string; isReadOnly: boolean }>(
      `select number, pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"
       from (${this.#listeners.heartbeat}) as heartbeat`,
    );
    if (rows[0]?.isReadOnly) throw new Error('The server of the listening connection takes no writes');
    return Number(rows[0]?.number);
  }

  #lose(error: Error): void {
    if (this.#current) destroy(this.#current);
    this.#current = null;
    this.#listeners.onGap();
    if (this.#isClosed) return;
    this.#listeners.onError(error);
    this.#reachable = this.#connect().then((failure) => failure === null);
  }

  #retryLater(): void {
    this.#retry = setTimeout(async () => {
      if ((await this.#connect()) === null) this.#reachable = Promise.resolve(true);
    }, RETRY_MS).unref();
  }

  /** Asks the server for an answer; many who want to know share one question. */
  #check(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #ask(): Promise<void> {
    const client = this.#current;
    try {
      const number = client && (await this.#askNumber(client));
      if (client === this.#current && number !== null) this.#listeners.onHeartbeat(number);
    } catch (error) {
      if (client === this.#current) this.#lose(error as Error);
    }
  }
}

/** Without the farewell that a server which does not answer would be waited for. */
const destroy = (client: Client) => void client.connection.stream.destroy();
