import type pg from 'pg';
import { Client } from './client.ts';
import { takesNoWrites } from './connection.ts';

const RETRY_MS = 250;
/** A connection may also die silently. */
const HEARTBEAT_MS = 250;
/** Bounds a heartbeat and an attempt to connect. */
const ANSWER_TIMEOUT_MS = 2_000;

interface Listeners {
  onNotification(payload: string): void;
  heartbeat: string;
  /** Called after every earlier notification. */
  onHeartbeat(answer: number): void;
  onGap(): void;
  /** Called once per broken connection, and when the first one fails. */
  onError(error: Error): void;
}

export class ListeningConnection {
  readonly #connection: pg.ClientConfig;
  readonly #channel: string;
  readonly #listeners: Listeners;
  readonly #heartbeat: NodeJS.Timeout;
  #current: Client | null = null;
  #isClosed = false;
  #reachable = Promise.resolve(false);
  #retry: NodeJS.Timeout | undefined;
  #checking: Promise<void> | null = null;

  private constructor(connection: pg.ClientConfig, channel: string, listeners: Listeners) {
    this.#connection = connection;
    this.#channel = channel;
    this.#listeners = listeners;
    this.#heartbeat = setInterval(() => void this.#check(), HEARTBEAT_MS).unref();
  }

  /** Resolves also after a failed attempt. */
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

  /** Takes two seconds at most. */
  async canReachDatabase(): Promise<boolean> {
    await this.#check();
    return this.isConnected || (await this.#reachable);
  }

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
    // Changes before this connection were missed.
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
   * A replaced primary may still answer, but receives no more changes.
   * @throws Error when the server does not answer or takes no writes
   */
  async #askNumber(client: Client): Promise<number> {
    const { rows } = await client.query<{ number: string; isReadOnly: boolean }>(
      `select number, ${takesNoWrites} as "isReadOnly" from (${this.#listeners.heartbeat}) as heartbeat`,
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

/** A hanging server would delay the farewell. */
const destroy = (client: Client) => void client.connection.stream.destroy();
