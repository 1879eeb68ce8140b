import { AsyncLocalStorage } from 'node:async_hooks';
import type { TrailEvent } from '@parts-forge/contract/events/trail-events';
import { identityServiceCalls as calls } from '@parts-forge/contract/people/identity-service';
import type { DBAdapterInstance } from 'better-auth';
import { and, eq } from 'drizzle-orm';
import { dropSecondFactor, endKeys } from '#src/identity/keys.ts';
import { identityAccounts, identityUsers } from '#src/identity/schema.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Ids } from '#src/platform/core/ids.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Database, Executor } from '#src/platform/database/connection.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { endPasswordRequest, lockUser, type UserRow } from '#src/users/store.ts';
import { refuse } from './identity-refusals.ts';
import { endUnfinished } from './link-tokens.ts';

export interface ActRecorder {
  watch<T>(request: Request, handle: () => Promise<T>): Promise<T>;
  /** The account whose session sends the request or was just opened. */
  setActor(subject: string): Promise<void>;
  /** The account whose sign-in changes; the sender is unknown. */
  setAccount(subject: string): Promise<void>;
  /** What the request does counts only while the account's password is the same. */
  setPending(subject: string): Promise<void>;
  setVerifiedHash(hash: string): void;
  openAdapter: DBAdapterInstance;
}

interface ActRecorderSettings {
  database: Database;
  clock: Clock;
  ids: Ids;
  /** Null before the account's first exchange. */
  findUser: (subject: string) => Promise<Pick<UserRow, 'id' | 'role'> | null>;
  openTables: (db: Executor) => DBAdapterInstance;
  onSessionsEnded: () => Promise<void>;
}

/** A write of `field`, or with null the deletion of the row. */
interface Act {
  event: TrailEvent;
  model: string;
  field: string | null;
}

const acts: Readonly<Record<string, Act>> = {
  [calls.changePassword.path]: { event: 'password-changed', model: 'account', field: 'password' },
  [calls.reset.path]: { event: 'password-reset', model: 'account', field: 'password' },
  [calls.endSession.path]: { event: 'session-ended', model: 'session', field: null },
  [calls.verifyTotp.path]: { event: 'second-factor-on', model: 'user', field: 'twoFactorEnabled' },
  [calls.disableSecondFactor.path]: {
    event: 'second-factor-off',
    model: 'user',
    field: 'twoFactorEnabled',
  },
  [calls.makeBackupCodes.path]: { event: 'backup-codes-made', model: 'twoFactor', field: 'backupCodes' },
};

/** What becomes of the account's keys, without a session's end. */
const keyChanges: Partial<Record<TrailEvent, typeof endKeys>> = {
  'password-reset': endKeys,
  'second-factor-off': dropSecondFactor,
};

interface Watched {
  act: Act | undefined;
  subject?: string;
  userId?: string | undefined;
  isSignIn: boolean;
  /** The password's hash by which the request, its session or its pending sign-in got its right. */
  hash?: string | null | undefined;
}

/**
 * Only a password change is one transaction, as it ends other sessions first; others would hold a
 * connection during hashing.
 *
 * An account without an exchange has no user to name, so it leaves no entry.
 */
export function createActRecorder(settings: ActRecorderSettings): ActRecorder {
  const { database, findUser, openTables } = settings;
  const watched = new AsyncLocalStorage<Watched>();
  const setUser = async (subject: string) => {
    const user = await findUser(subject);
    const current = watched.getStore();
    if (current) Object.assign(current, { subject, userId: user?.id });
    return user;
  };
  /** Before the library looks the session up: a new password in between ends what it finds. */
  const setPending = async (subject: string) => {
    const current = watched.getStore();
    if (current) current.hash = await findHash(database.db, subject);
  };
  const findEntry = (model: string, values: object | null) => {
    const { act, userId } = watched.getStore() ?? {};
    if (!act || userId === undefined || act.model !== model) return null;
    const isAct = act.field === null ? values === null : values !== null && Object.hasOwn(values, act.field);
    return isAct ? { event: act.event, userId } : null;
  };

  const openAdapter: DBAdapterInstance = (options) => {
    const recordOn = createRecorder(settings, findEntry, () => watched.getStore());
    return recordOn(openTables(database.db)(options), (work) =>
      database.db.transaction((tx) => work(tx, openTables(tx)(options))),
    );
  };

  return {
    async watch(request, handle) {
      const { pathname } = new URL(request.url);
      const act = acts[pathname];
      const result = await watched.run({ act, isSignIn: pathname === calls.signIn.path }, handle);
      if (act && keyChanges[act.event]) await settings.onSessionsEnded();
      return result;
    },
    async setActor(subject) {
      await setPending(subject);
      const user = await setUser(subject);
      if (user) requestContext.setActor({ kind: user.role, id: user.id });
    },
    setAccount: async (subject) => void (await setUser(subject)),
    setPending,
    setVerifiedHash(hash) {
      const current = watched.getStore();
      if (current) current.hash = hash;
    },
    openAdapter,
  };
}

type Tables = ReturnType<DBAdapterInstance>;
type Entry = { event: TrailEvent; userId: string };
type InTransaction = <T>(work: (tx: Executor, tables: Tables) => Promise<T>) => Promise<T>;

function createRecorder(
  { ids, clock }: Pick<ActRecorderSettings, 'ids' | 'clock'>,
  findEntry: (model: string, values: object | null) => Entry | null,
  findWatched: () => Watched | undefined,
) {
  const changesPassword = () => findWatched()?.act?.field === 'password';
  return function recordOn(tables: Tables, inTransaction: InTransaction): Tables {
    /** @param change resolves to null or 0 if nothing changed */
    const recordOr = async <T>(entry: Entry | null, change: (adapter: Tables) => Promise<T>): Promise<T> => {
      if (!entry) return change(tables);
      return inTransaction(async (tx, inside) => {
        const { subject, hash } = findWatched() ?? {};
        if (subject !== undefined && !changesPassword()) await requireHash(tx, subject, hash);
        const changed = await change(inside);
        if (changed && changesPassword()) await endFormerPassword(tx, entry.userId, subject);
        if (changed) await keyChanges[entry.event]?.(tx, entry.userId, clock.now());
        if (changed) await writeEntry(tx, { ...entry, id: ids.next(), now: clock.now() });
        return changed;
      });
    };
    const recording: Tables = {
      ...tables,
      create: (values) => {
        const subject = findOwner(values, findWatched());
        if (subject === null || changesPassword())
          return recordOr(findEntry(values.model, values.data), (to) => to.create(values));
        return inTransaction(async (tx, inside) => {
          await requireHash(tx, subject, findWatched()?.hash);
          return inside.create(values);
        });
      },
      update: (values) => recordOr(findEntry(values.model, values.update), (to) => to.update(values)),
      updateMany: (values) => recordOr(findEntry(values.model, values.update), (to) => to.updateMany(values)),
      // Only one of two simultaneous deletions counts the row.
      delete: async (values) =>
        void (await recordOr(findEntry(values.model, null), (to) => to.deleteMany(values))),
      transaction: (work) => {
        if (!changesPassword()) return work(recording);
        return inTransaction(async (tx, inside) => {
          await lockFormerPassword(tx, findWatched());
          return work(recordOn(inside, (inner) => inner(tx, inside)));
        });
      },
    };
    return recording;
  };
}

/** @throws APIError if another act changed the password that allowed this one */
async function lockFormerPassword(tx: Executor, watched: Partial<Watched> = {}): Promise<void> {
  const { act, userId, subject = '', hash } = watched;
  // The person before the tokens that end with the sessions, as in each act.
  if (userId !== undefined) await lockUser(tx, userId);
  // Before the sessions end: a sign-in with the former password waits, or has opened one of them.
  const locked = await findHash(tx, subject, 'no key update');
  if (act?.event === 'password-changed' && locked !== hash) throw refuseFormerPassword();
}

async function endFormerPassword(tx: Executor, userId: string, subject: string | undefined): Promise<void> {
  await endPasswordRequest(tx, userId);
  if (subject !== undefined) await endUnfinished(tx, subject);
}

/** Whose password opens a session, or a sign-in that waits for a code; null for other rows. */
function findOwner({ model, data }: { model: string; data: object }, current?: Watched): string | null {
  const { userId } = data as { userId?: string };
  // The library opens a session, and ends it where a code follows.
  if (model === 'session' && current && userId) current.subject = userId;
  const isOwned = model === 'session' || (model === 'verification' && current?.isSignIn);
  return isOwned ? (current?.subject ?? null) : null;
}

/**
 * A new password waits until the transaction ends, and then ends what it wrote.
 * @param hash null and undefined for an account without a password
 * @throws APIError as for a wrong password
 */
async function requireHash(tx: Executor, subject: string, hash?: string | null): Promise<void> {
  if (hash && (await findHash(tx, subject, 'share')) !== hash) throw refuseFormerPassword();
}

const refuseFormerPassword = () =>
  refuse('Invalid email or password', 'INVALID_EMAIL_OR_PASSWORD', 'UNAUTHORIZED');

/** @param lock of the hash, until the transaction ends; the account comes first, as in its deletion */
async function findHash(db: Executor, subject: string, lock?: 'share' | 'no key update') {
  const { id } = identityUsers;
  if (lock) await db.select({ id }).from(identityUsers).where(eq(id, subject)).for('key share');
  const { userId, providerId, password } = identityAccounts;
  const isOwn = and(eq(userId, subject), eq(providerId, 'credential'));
  const query = db.select({ password }).from(identityAccounts).where(isOwn);
  const [row] = await (lock ? query.for(lock) : query);
  return row?.password;
}
