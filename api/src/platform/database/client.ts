import type { Socket } from 'node:net';
import pg from 'pg';

/** PostgreSQL's code for a write on a read-only server. */
const READ_ONLY = '25006';
const OUTCOME_UNKNOWN = '08007';
/** PostgreSQL's function that waits for the standby. The warning names it, but its words are translated. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/**
 * A commit that only the primary's disk may hold. When the wait for a synchronous standby is cancelled,
 * PostgreSQL only warns and reports success; the commit would be lost with that server. The code is the
 * SQL standard's for an unknown outcome.
 */
export class CommitNotReplicated extends Error {
  readonly code = OUTCOME_UNKNOWN;
  constructor() {
    super('The standby has not confirmed the commit');
  }
}

/**
 * A client whose broken connection never ends the process. The pool handles errors of idle clients;
 * otherwise the statement in use fails.
 *
 * It disconnects from a server that takes no writes, as after a failover: the next connection leads to
 * the primary. A commit without its standby's confirmation fails (`CommitNotReplicated`).
 */
export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
    this.on('notice', ({ routine }) => {
      // Raised at once as the server's own error: the packet also holds the statement's success.
      if (routine === STANDBY_WAIT) this.connection.emit('errorMessage', new CommitNotReplicated());
    });
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY || code === OUTCOME_UNKNOWN) readSocket(this).destroy();
    });
  }
}

/** pg types it as a stream; it is a socket, plain or TLS. */
export const readSocket = ({ connection }: pg.Client) => connection.stream as Socket;
