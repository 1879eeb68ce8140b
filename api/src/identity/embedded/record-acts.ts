import { AsyncLocalStorage } from 'node:async_hooks';
import { identityServiceCalls as calls } from '@parts-forge/contract/identity-service';
import type { TrailEvent } from '@parts-forge/contract/trail-events';
import type { DBAdapterInstance } from 'better-auth';
import { and, eq } from 'drizzle-orm';
import { dropSecondFactor, endKeys } from '#src/identity/keys.ts';
import { identityAccounts } from '#src/identity/schema.ts';
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
  /** A sign-in opens its session only while this is the account's hash. */
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
  verifiedHash?: string;
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
      const user = await setUser(subject);
      if (user) requestContext.setActor({ kind: user.role, id: user.id });
    },
    setAccount: async (subject) => void (await setUser(subject)),
    setVerifiedHash(hash) {
      const current = watched.getStore();
      if (current?.isSignIn) current.verifiedHash = hash;
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
        const changed = await change(inside);
        if (changed && changesPassword()) {
          await endPasswordRequest(tx, entry.userId);
          await endUnfinished(tx, findWatched()?.subject ?? '');
        }
        if (changed) await keyChanges[entry.event]?.(tx, entry.userId, clock.now());
        if (changed) await writeEntry(tx, { ...entry, id: ids.next(), now: clock.now() });
        return changed;
      });
    };
    const recording: Tables = {
      ...tables,
      create: (values) => {
        const { verifiedHash } = findWatched() ?? {};
        if (values.model !== 'session' || verifiedHash === undefined)
          return recordOr(findEntry(values.model, values.data), (to) => to.create(values));
        return inTransaction(async (tx, inside) => {
          await requirePassword(tx, String(values.data.userId), verifiedHash);
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
          const { userId, subject = '' } = findWatched() ?? {};
          // The person before the tokens that end with the sessions, as in each act.
          if (userId !== undefined) await lockUser(tx, userId);
          // Before the sessions end: a sign-in with the former password waits, or has opened one of them.
          await lockPassword(tx, subject, 'no key update');
          return work(recordOn(inside, (inner) => inner(tx, inside)));
        });
      },
    };
    return recording;
  };
}

/** A new password waits for the session, and then ends it. @throws APIError as for a wrong password */
async function requirePassword(tx: Executor, subject: string, verifiedHash: string): Promise<void> {
  if ((await lockPassword(tx, subject, 'share')) !== verifiedHash)
    throw refuse('Invalid email or password', 'INVALID_EMAIL_OR_PASSWORD', 'UNAUTHORIZED');
}

/** Until the transaction ends. @returns the hash, if the account has one */
async function lockPassword(tx: Executor, subject: string, strength: 'share' | 'no key update') {
  const { userId, providerId, password } = identityAccounts;
  const isOwn = and(eq(userId, subject), eq(providerId, 'credential'));
  const [row] = await tx.select({ password }).from(identityAccounts).where(isOwn).for(strength);
  return row?.password;
}
