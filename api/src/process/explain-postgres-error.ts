import type { EmbeddedPostgresError } from '@parts-forge/embedded-postgres/errors';

/** Names the shop's settings that help. */
export function explainPostgresError({ details, message }: EmbeddedPostgresError): string {
  switch (details.code) {
    case 'folder-in-use':
      return `Another shop is using this data folder: ${details.folder}`;
    case 'database-exists':
      return (
        `There is a shop in the data folder ${details.folder} already: set DATA_DIR to another folder, or add ` +
        '--replace to put that shop aside.'
      );
    case 'folder-not-writable': {
      const reason = details.reason === undefined ? '' : ` (${details.reason})`;
      return `The data folder ${details.folder} cannot be written${reason}: allow it, or set DATA_DIR to another folder.`;
    }
    case 'folder-not-reachable':
      return (
        `PostgreSQL does not run as root, and the unprivileged user ${details.uid} cannot reach ${details.folder}: ` +
        'start the shop as another user, set DATA_DIR to a folder that everybody can reach, or set DATABASE_URL.'
      );
    case 'socket-folder-not-private':
      return `${details.folder}, where PostgreSQL's socket belongs, is not ours alone: remove it, or set DATA_DIR to a shorter path.`;
    case 'no-binaries':
      return (
        `No PostgreSQL runs on this machine (${details.platform} ${details.arch}): install PostgreSQL ` +
        `${details.oldest} or newer, or set DATABASE_URL to one that is reachable.`
      );
    case 'version-not-available':
      return (
        `The data folder was made by PostgreSQL ${details.required}, but this machine has only version ` +
        `${details.available.join(', ')}: install PostgreSQL ${details.required} or set DATABASE_URL.`
      );
    case 'library-link-missing':
      return `The link ${details.link} that PostgreSQL needs is missing and cannot be made: run the shop once as the owner of its folder.`;
    case 'user-without-name':
      return (
        `PostgreSQL needs the user ${details.uid} to be in the system's list of users: add it, start the shop as ` +
        'another user, or set DATABASE_URL.'
      );
    case 'folder-not-readable':
    case 'folder-owned-by-root':
    case 'initdb-failed':
    case 'server-ended':
    case 'server-does-not-stop':
      return message;
  }
}
