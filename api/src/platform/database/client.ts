import type { Socket } from 'node:net';
import pg from 'pg';

const READ_ONLY = '25006';
const OUTCOME_UNKNOWN = '08007';
/** The warning names this function; its words are translated. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/**
 * Only the primary may have the commit, as the wait for a standby was cancelled; PostgreSQL just warns. The
 * code is the SQL standard's for an unknown outcome.
 */
export class CommitNotReplicated extends Error {
  readonly code = OUTCOME_UNKNOWN;
  constructor() {
    super('The standby has not confirmed the commit');
  }
}

/**
 * A broken connection never ends the process. After a failover it disconnects the read-only server: the
 * next connection leads to the primary. An unconfirmed commit fails (`CommitNotReplicated`).
 */
export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
    this.on('notice', ({ routine }) => {
      // At once: the same packet holds the statement's success.
      if (routine === STANDBY_WAIT) this.connection.emit('errorMessage', new CommitNotReplicated());
    });
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY || code === OUTCOME_UNKNOWN) readSocket(this).destroy();
    });
  }
}

/** pg types the socket as a stream. */
export const readSocket = ({ connection }: pg.Client) => connection.stream as Socket;
