import {
  EmbeddedPostgresError,
  type EmbeddedPostgresErrorDetails,
} from '@parts-forge/embedded-postgres/errors';
import { expect, test } from 'vitest';
import { explainPostgresError } from './explain-postgres-error.ts';

const sentences: [EmbeddedPostgresErrorDetails, string][] = [
  [{ code: 'folder-in-use', folder: '/data' }, 'Another shop is using this data folder: /data'],
  [
    { code: 'folder-not-writable', folder: '/data', reason: 'EACCES' },
    'The data folder /data cannot be written (EACCES): allow it, or set DATA_DIR to another folder.',
  ],
  [
    { code: 'folder-not-writable', folder: '/data', reason: undefined },
    'The data folder /data cannot be written: allow it, or set DATA_DIR to another folder.',
  ],
  [
    { code: 'folder-owned-by-root', folder: '/data/postgres' },
    '/data/postgres belongs to root, as whom PostgreSQL does not run: give it to another user.',
  ],
  [
    { code: 'folder-not-reachable', folder: '/data/postgres', uid: 65534 },
    'PostgreSQL does not run as root, and the unprivileged user 65534 cannot reach /data/postgres: start the shop as another user, set DATA_DIR to a folder that everybody can reach, or set DATABASE_URL.',
  ],
  [
    { code: 'socket-folder-not-private', folder: '/tmp/parts-forge-1' },
    "/tmp/parts-forge-1, where PostgreSQL's socket belongs, is not ours alone: remove it, or set DATA_DIR to a shorter path.",
  ],
  [
    { code: 'no-binaries', oldest: 15, platform: 'linux', arch: 'x64' },
    'No PostgreSQL runs on this machine (linux x64): install PostgreSQL 15 or newer, or set DATABASE_URL to one that is reachable.',
  ],
  [
    { code: 'version-not-available', required: 12, available: [18, 15] },
    'The data folder was made by PostgreSQL 12, but this machine has only version 18, 15: install PostgreSQL 12 or set DATABASE_URL.',
  ],
  [
    { code: 'library-link-missing', link: '/lib/libicuuc.so' },
    'The link /lib/libicuuc.so that PostgreSQL needs is missing and cannot be made: run the shop once as the owner of its folder.',
  ],
  [
    { code: 'user-without-name', uid: 54321 },
    "PostgreSQL needs the user 54321 to be in the system's list of users: add it, start the shop as another user, or set DATABASE_URL.",
  ],
];

test.each(sentences.map(([details, sentence]) => ({ details, sentence })))(
  '$details.code is explained with the settings that help',
  ({ details, sentence }) => {
    expect(explainPostgresError(new EmbeddedPostgresError(details))).toBe(sentence);
  },
);
