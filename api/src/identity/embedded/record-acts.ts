import { AsyncLocalStorage } from 'node:async_hooks';
import { identityServiceCalls as calls } from '@parts-forge/contract/identity-service';
import type { TrailEvent } from '@parts-forge/contract/trail-events';
import type { DBAdapterInstance } from 'better-auth';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Ids } from '#src/platform/core/ids.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Database, Executor } from '#src/platform/database/connection.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import type { UserRow } from '#src/users/store.ts';

/** Writes down in the trail what people do to their own sign-in. */
export interface ActRecorder {
  /** Handles one request of the service. */
  watch<T>(request: Request, handle: () => Promise<T>): Promise<T>;
  /** The request is of this account's session, or has just opened one. @param subject the account's id */
  setActor(subject: string): Promise<void>;
  /** The request changes this account's sign-in, and does not say who asks for it. */
  setAccount(subject: string): Promise<void>;
  /** The service's tables; a change that is an act is one transaction with its entry. */
  openAdapter: DBAdapterInstance;
}

interface ActRecorderSettings {
  database: Database;
  clock: Clock;
  ids: Ids;
  /** The shop's user of an account; null until the account has been exchanged for one. */
  findUser: (subject: string) => Promise<Pick<UserRow, 'id' | 'role'> | null>;
  /** The service's own way to its tables. */
  openTables: (db: Executor) => DBAdapterInstance;
}

/** The change by which an act is done: this field is written, or with null the row is removed. */
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

/** One request: what it would do, and to whose sign-in, once that is known. */
interface Watched {
  act: Act | undefined;
  userId?: string | undefined;
}

/**
 * The row that is the act (of the password, the session or the second factor) is changed in one transaction with its
 * entry. A change of password is one transaction of the library, which ends the other sessions first; all other
 * transactions of the library are none, as a connection would be held while a password is hashed.
 *
 * An account that the shop has no user for, as it was never exchanged, leaves no entry: there is nobody to name.
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
  /** The entry to write when `model` is changed so; null where that is no act. */
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
    watch: (request, handle) => watched.run({ act: acts[new URL(request.url).pathname] }, handle),
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
/** Runs a change together with its entry. */
type InTransaction = <T>(work: (tx: Executor, tables: Tables) => Promise<T>) => Promise<T>;

/**
 * @param findEntry the entry to write when `model` is changed so; null where that is no act
 * @param changesPassword whether the request under way does
 * @returns puts tables that write entries in front of the service's own
 */
function createRecorder(
  { ids, clock }: Pick<ActRecorderSettings, 'ids' | 'clock'>,
  findEntry: (model: string, values: object | null) => Entry | null,
  changesPassword: () => boolean,
) {
  return function recordOn(tables: Tables, inTransaction: InTransaction): Tables {
    /** @param change resolves to null or 0 when there was nothing to change */
    const recordOr = async <T>(entry: Entry | null, change: (adapter: Tables) => Promise<T>): Promise<T> => {
      if (!entry) return change(tables);
      return inTransaction(async (tx, inside) => {
        const changed = await change(inside);
        if (changed) await writeEntry(tx, { ...entry, id: ids.next(), now: clock.now() });
        return changed;
      });
    };
    const recording: Tables = {
      ...tables,
      create: (values) => recordOr(findEntry(values.model, values.data), (to) => to.create(values)),
      update: (values) => recordOr(findEntry(values.model, values.update), (to) => to.update(values)),
      updateMany: (values) => recordOr(findEntry(values.model, values.update), (to) => to.updateMany(values)),
      // Counted, as two may remove the same row at once and one of them does.
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
