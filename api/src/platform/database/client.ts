import type { Socket } from 'node:net';
import pg from 'pg';

/** PostgreSQL's code for a write that is refused because the server takes none. */
const READ_ONLY = '25006';
const OUTCOME_UNKNOWN = '08007';
/** The function of PostgreSQL that waits for the standby. It names itself in its warning, whose words are translated. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/**
 * A commit that is on the primary's disk and perhaps on no other. When the wait for a synchronous standby is cancelled,
 * as by somebody who wants to get commits going again, PostgreSQL only warns and reports success: whoever acknowledged
 * that would lose it with the server. The code is the standard's for an outcome that is not known.
 */
export class CommitNotReplicated extends Error {
  readonly code = OUTCOME_UNKNOWN;
  constructor() {
    super('The standby has not confirmed the commit');
  }
}

/**
 * A client whose connection may break at any moment without ending the process. The pool listens for errors of idle
 * clients alone; of one that is in use the statement fails, which is where the error is dealt with.
 *
 * It breaks by itself when its server turns out to take no writes, as after a failover: the next one leads to the
 * server that does. A commit that its standby did not confirm fails (`CommitNotReplicated`).
 */
export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
    this.on('notice', ({ routine }) => {
      // Handled as the server's own error, at once: the success of the statement is in the same packet.
      if (routine === STANDBY_WAIT) this.connection.emit('errorMessage', new CommitNotReplicated());
    });
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY || code === OUTCOME_UNKNOWN) readSocket(this).destroy();
    });
  }
}

/** pg's types know a stream; it is a socket, plain or with TLS. */
export const readSocket = ({ connection }: pg.Client) => connection.stream as Socket;
