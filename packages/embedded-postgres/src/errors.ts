export type EmbeddedPostgresErrorDetails =
  | { code: 'folder-in-use'; folder: string }
  | { code: 'database-exists'; folder: string }
  /** A code of the system, for example `EACCES`. */
  | { code: 'folder-not-writable'; folder: string; reason: string | undefined }
  | { code: 'folder-not-readable'; folder: string }
  /** PostgreSQL refuses to run as root. */
  | { code: 'folder-owned-by-root'; folder: string }
  | { code: 'folder-not-reachable'; folder: string; uid: number }
  | { code: 'socket-folder-not-private'; folder: string }
  | { code: 'no-binaries'; oldest: number; platform: NodeJS.Platform; arch: NodeJS.Architecture }
  | { code: 'version-not-available'; required: number; available: number[] }
  | { code: 'library-link-missing'; link: string }
  | { code: 'user-without-name'; uid: number | undefined }
  | { code: 'initdb-failed'; reason: string }
  /** PostgreSQL's status or signal, and its last error. */
  | { code: 'server-ended'; exit: string; reason: string }
  /** An earlier owner's PostgreSQL. */
  | { code: 'server-does-not-stop'; folder: string; pid: number };

export type EmbeddedPostgresErrorCode = EmbeddedPostgresErrorDetails['code'];

/** Its message tells an administrator what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly details: EmbeddedPostgresErrorDetails;

  constructor(details: EmbeddedPostgresErrorDetails, options?: ErrorOptions) {
    super(describe(details), options);
    this.details = details;
  }

  get code(): EmbeddedPostgresErrorCode {
    return this.details.code;
  }
}

function describe(details: EmbeddedPostgresErrorDetails): string {
  switch (details.code) {
    case 'folder-in-use':
      return `Another process is using the data folder ${details.folder}.`;
    case 'database-exists':
      return `The data folder ${details.folder} has a database already.`;
    case 'folder-not-writable': {
      const reason = details.reason === undefined ? '' : ` (${details.reason})`;
      return `The data folder ${details.folder} cannot be written${reason}: allow it, or choose another folder.`;
    }
    case 'folder-not-readable':
      return `${details.folder} may not be read by the user ${process.getuid?.()}: start as its owner, or give it to the owner of the data folder (chown -R).`;
    case 'folder-owned-by-root':
      return `${details.folder} belongs to root, as whom PostgreSQL does not run: give it to another user.`;
    case 'folder-not-reachable':
      return (
        `PostgreSQL does not run as root, and the unprivileged user ${details.uid} cannot reach ${details.folder}: ` +
        'start as another user, or choose a folder that everybody can reach.'
      );
    case 'socket-folder-not-private':
      return `${details.folder}, where PostgreSQL's socket belongs, is not ours alone: remove it, or choose a data folder with a shorter path.`;
    case 'no-binaries':
      return `No PostgreSQL runs on this machine (${details.platform} ${details.arch}): install PostgreSQL ${details.oldest} or newer.`;
    case 'version-not-available':
      return (
        `The data folder was made by PostgreSQL ${details.required}, but this machine has only version ` +
        `${details.available.join(', ')}: install PostgreSQL ${details.required}.`
      );
    case 'library-link-missing':
      return `The link ${details.link} that PostgreSQL needs is missing and cannot be made: start once as the owner of its folder.`;
    case 'user-without-name':
      return `PostgreSQL needs the user ${details.uid} to be in the system's list of users: add it, or start as another user.`;
    case 'initdb-failed':
      return `PostgreSQL could not make its files: ${details.reason}`;
    case 'server-ended':
      return `PostgreSQL does not start (${details.exit}): ${details.reason}`;
    case 'server-does-not-stop':
      return `PostgreSQL still runs on ${details.folder} and does not stop (process ${details.pid}).`;
  }
}
