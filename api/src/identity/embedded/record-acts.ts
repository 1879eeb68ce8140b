import { AsyncLocalStorage } from 'node:async_hooks';
import { identityServiceCalls as calls } from '@parts-forge/contract/identity-service';
import type { TrailEvent } from '@parts-forge/contract/trail-events';
import type { DBAdapterInstance } from 'better-auth';
import { dropSecondFactor, endKeys } from '#src/identity/keys.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Ids } from '#src/platform/core/ids.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Database, Executor } from '#src/platform/database/connection.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { endPasswordRequest, type UserRow } from '#src/users/store.ts';

export interface ActRecorder {
  watch<T>(request: Request, handle: () => Promise<T>): Promise<T>;
  /** The account whose session sends the request or was just opened. */
  setActor(subject: string): Promise<void>;
  /** The account whose sign-in changes; the sender is unknown. */
  setAccount(subject: string): Promise<void>;
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
  userId?: string | undefined;
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
    if (current) current.userId = user?.id;
    return user;
  };
  const findEntry = (model: string, values: object | null) => {
    const { act, userId } = watched.getStore() ?? {};
    if (!act || userId === undefined || act.model !== model) return null;
    const isAct = act.field === null ? values === null : values !== null && Object.hasOwn(values, act.field);
    return isAct ? { event: act.event, userId } : null;
  };

  const openAdapter: DBAdapterInstance = (options) => {
    const recordOn = createRecorder(settings, findEntry, () => watched.getStore()?.act?.field === 'password');
    return recordOn(openTables(database.db)(options), (work) =>
      database.db.transaction((tx) => work(tx, openTables(tx)(options))),
    );
  };

  return {
    async watch(request, handle) {
      const act = acts[new URL(request.url).pathname];
      const result = await watched.run({ act }, handle);
      if (act && keyChanges[act.event]) await settings.onSessionsEnded();
      return result;
    },
    async setActor(subject) {
      const user = await setUser(subject);
      if (user) requestContext.setActor({ kind: user.role, id: user.id });
    },
    setAccount: async (subject) => void (await setUser(subject)),
    openAdapter,
  };
}

type Tables = ReturnType<DBAdapterInstance>;
type Entry = { event: TrailEvent; userId: string };
type InTransaction = <T>(work: (tx: Executor, tables: Tables) => Promise<T>) => Promise<T>;

function createRecorder(
  { ids, clock }: Pick<ActRecorderSettings, 'ids' | 'clock'>,
  findEntry: (model: string, values: object | null) => Entry | null,
  changesPassword: () => boolean,
) {
  return function recordOn(tables: Tables, inTransaction: InTransaction): Tables {
    /** @param change resolves to null or 0 if nothing changed */
    const recordOr = async <T>(entry: Entry | null, change: (adapter: Tables) => Promise<T>): Promise<T> => {
      if (!entry) return change(tables);
      return inTransaction(async (tx, inside) => {
        const changed = await change(inside);
        if (changed && changesPassword()) await endPasswordRequest(tx, entry.userId);
        if (changed) await keyChanges[entry.event]?.(tx, entry.userId, clock.now());
        if (changed) await writeEntry(tx, { ...entry, id: ids.next(), now: clock.now() });
        return changed;
      });
    };
    const recording: Tables = {
      ...tables,
      create: (values) => recordOr(findEntry(values.model, values.data), (to) => to.create(values)),
      update: (values) => recordOr(findEntry(values.model, values.update), (to) => to.update(values)),
      updateMany: (values) => recordOr(findEntry(values.model, values.update), (to) => to.updateMany(values)),
      // Only one of two simultaneous deletions counts the row.
      delete: async (values) =>
        void (await recordOr(findEntry(values.model, null), (to) => to.deleteMany(values))),
      transaction: (work) => {
        if (!changesPassword()) return work(recording);
        return inTransaction((tx, inside) => work(recordOn(inside, (inner) => inner(tx, inside))));
      },
    };
    return recording;
  };
}
