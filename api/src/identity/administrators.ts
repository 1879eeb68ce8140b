import { randomBytes } from 'node:crypto';
import { MAX_EMAIL, MAX_NAME, MAX_PASSWORD, MIN_ADMIN_PASSWORD } from '@parts-forge/contract/calls/bounds';
import { newEmailPattern, text } from '@parts-forge/contract/text/text';
import * as z from 'zod/mini';
import type { Config } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { ensureMetadata, findMetadata } from '#src/platform/database/metadata.ts';
import { withSetupLock } from '#src/platform/database/migrate.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { changeRole } from '#src/users/change-role.ts';
import {
  boundTo,
  findUserByEmail,
  hasAdministrator,
  insertUser,
  lockAddress,
  updateUser,
} from '#src/users/store.ts';
import type { IdentityServices } from './identity-services.ts';

export class AdminRefused extends StartError {}

export interface NewAdmin {
  email: string;
  name: string;
  password: string | null;
}

const newAdmin = z.object({
  // As the identity service accepts it at sign-in.
  email: z
    .string()
    .check(
      z.maxLength(MAX_EMAIL, { error: 'The email is too long.', abort: true }),
      z.regex(newEmailPattern, 'The email must be an email address.'),
    ),
  name: text({ min: 1, max: MAX_NAME, required: 'The name must not be empty.' }),
});

const adminPassword = z
  .string('A password is needed.')
  .check(
    z.minLength(MIN_ADMIN_PASSWORD, `The password must be ${MIN_ADMIN_PASSWORD} characters or longer.`),
    z.maxLength(MAX_PASSWORD, `The password must be no more than ${MAX_PASSWORD} characters.`),
  );

type Services = Pick<IdentityServices, 'changes' | 'clock' | 'ids' | 'tokens' | 'identity'>;

/**
 * A previous owner of the address loses password, sessions and tokens. With a hosted service, the next
 * proven sign-in becomes the administrator's. Repeatable.
 * @param note runs in the same transaction
 * @throws AdminRefused
 */
export async function createAdmin(
  { changes, clock, ids, tokens, identity }: Services,
  given: NewAdmin,
  note: (tx: Executor) => Promise<void> = async () => {},
): Promise<{ email: string; created: boolean }> {
  const person = parse(newAdmin, { ...given, email: given.email.trim().toLowerCase() });
  const { email, name } = person;
  const password = identity.takeOver ? await requireUncommon(given.password) : null;

  return changes.write(async (tx, changed) => {
    changed('users');
    await note(tx);
    await lockAddress(tx, email);
    // Before the account, as a change of its password does.
    const user = await findUserByEmail(tx, email, { lock: true });
    const bound =
      identity.takeOver && password !== null ? await identity.takeOver({ ...person, password }, tx) : null;
    const now = clock.now();
    if (!user) {
      const id = ids.next();
      await insertUser(tx, {
        id,
        name,
        email,
        role: 'admin',
        emailVerified: bound !== null,
        identity: bound,
        now,
      });
      await writeEntry(tx, {
        id: ids.next(),
        now,
        event: 'role-changed',
        userId: id,
        after: { role: 'admin' },
      });
      return { email, created: true };
    }
    await tokens.endAll(tx, user.id);
    if (bound) {
      await updateUser(tx, user.id, { ...boundTo(bound), emailVerified: true, name }, now);
      await writeEntry(tx, { id: ids.next(), now, event: 'password-changed', userId: user.id });
    } else {
      // Possibly bound to an early registrant or a former service.
      await updateUser(tx, user.id, { ...boundTo(null), emailVerified: false }, now);
    }
    await changeRole(tx, { ids }, { email, role: 'admin', now, by: null });
    return { email, created: false };
  });
}

function parse<Output>(schema: z.ZodMiniType<Output>, value: unknown): Output {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new AdminRefused(parsed.error.issues.map(({ message }) => message).join(' '));
  return parsed.data;
}

/** @throws AdminRefused */
async function requireUncommon(given: string | null): Promise<string> {
  const password = parse(adminPassword, given);
  // On demand, as most starts create no administrator.
  const { isCommonPassword } = await import('./common-passwords.ts');
  if (isCommonPassword(password)) throw new AdminRefused('The password is among the most common ones.');
  return password;
}

export const FIRST_ADMIN_EMAIL = 'admin@partsforge.local';

/** The password only if it was generated here. */
export interface FirstSignIn {
  email: string;
  password: string | null;
}

/** Prevents a second first administrator. */
const FIRST_ADMIN = 'first_admin';

/**
 * Once per database.
 * @param printSignIn precedes the storing, so that an interrupted start loses no password
 * @throws AdminRefused
 */
export function ensureFirstAdmin(
  config: Pick<Config, 'adminEmail' | 'adminPassword'>,
  services: Services & Pick<IdentityServices, 'database'>,
  printSignIn: (signIn: FirstSignIn) => void = () => {},
): Promise<FirstSignIn | null> {
  const { database, identity } = services;
  const { adminEmail, adminPassword } = config;
  const isNamed = adminEmail !== null;
  return withSetupLock(database, async () => {
    if ((await findMetadata(database.db, FIRST_ADMIN)) !== null) return null;
    const isNeeded = isNamed || !(await hasAdministrator(database.db));
    // Nobody could prove a made-up address at a hosted service.
    if (isNeeded && !isNamed && !identity.takeOver) return null;
    const email = adminEmail ?? FIRST_ADMIN_EMAIL;
    if (!isNeeded) {
      await ensureMetadata(database.db, FIRST_ADMIN, () => email);
      return null;
    }
    const password = adminPassword ?? (identity.takeOver ? randomBytes(18).toString('base64url') : null);
    const signIn = { email, password: isNamed ? null : password };
    await createAdmin(services, { email, name: 'Administrator', password }, async (tx) => {
      await ensureMetadata(tx, FIRST_ADMIN, () => email);
      printSignIn(signIn);
    });
    return signIn;
  });
}
