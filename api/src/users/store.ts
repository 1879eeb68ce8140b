import type { Role } from '@parts-forge/contract/calls/policies';
import type { User } from '@parts-forge/contract/people/users';
import { and, eq, inArray, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Config } from '#src/platform/core/config.ts';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import {
  containsPattern,
  findPage,
  newestFirst,
  type Page,
  type PageRequest,
  readSearchWords,
} from '#src/platform/database/find-page.ts';
import { users } from './schema.ts';

export interface IdentityRef {
  issuer: string;
  subject: string;
}

export type UserRow = typeof users.$inferSelect;

export function toUser(row: UserRow): User {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    education: row.education,
    location: row.location,
    phone: row.phone,
    linkdin: row.linkdin,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...(row.company && { company: row.company }),
    ...(row.taxNumber && { taxNumber: row.taxNumber }),
    ...(row.billingAddress && { billingAddress: row.billingAddress }),
    ...(row.country && { country: row.country }),
    ...(row.passwordAskedAt && { passwordAskedAt: row.passwordAskedAt.toISOString() }),
    ...(row.tax !== 'standard' && { untaxed: { tax: row.tax, reason: row.taxReason } }),
    ...(row.taxToCheck && { taxToCheck: row.taxToCheck }),
  };
}

const isPresent = isNull(users.deletedAt);
const hasEmail = (email: string) => and(sql`lower(${users.email}) = ${normalizeEmail(email)}`, isPresent);
const hasIdentity = ({ issuer, subject }: IdentityRef) =>
  and(eq(users.identityIssuer, issuer), eq(users.identitySubject, subject), isPresent);
// The database may lowercase only ASCII. PostgreSQL rejects NUL, which no address contains.
const normalizeEmail = (email: string) => email.trim().toLowerCase().replaceAll('\u0000', '\ufffd');

/** Serialises work on an address, even without an account, until the transaction ends. */
export async function lockAddress(tx: Executor, email: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`users ${normalizeEmail(email)}`}, 0))`,
  );
}

/**
 * With `update`, rows that refer to the user (a batch's lines) would wait, while a deletion of the user waits
 * for them: a deadlock.
 */
const ROW_LOCK = 'no key update';

/**
 * Ignores case; null when missing or deleted.
 * @param lock locks the row until the transaction ends
 */
export async function findUserByEmail(
  db: Executor,
  email: string,
  { lock = false } = {},
): Promise<UserRow | null> {
  const query = db.select().from(users).where(hasEmail(email));
  const [row] = await (lock ? query.for(ROW_LOCK) : query);
  return row ?? null;
}

/**
 * Ids of customers, by lower-case e-mail address.
 * @param lock against their removal, until the transaction ends
 */
export async function findCustomersByEmail(
  db: Executor,
  emails: readonly string[],
  { lock = false } = {},
): Promise<Map<string, string>> {
  const email = sql<string>`lower(${users.email})`;
  const isWanted = and(inArray(email, emails.map(normalizeEmail)), isPresent, eq(users.role, 'user'));
  const query = db.select({ id: users.id, email }).from(users).where(isWanted).orderBy(users.id);
  const rows = await (lock ? query.for('share') : query);
  return new Map(rows.map((row) => [row.email, row.id]));
}

/** Locks the row until the transaction ends; null when missing or deleted. */
export async function lockUserByIdentity(tx: Executor, identity: IdentityRef): Promise<UserRow | null> {
  const [row] = await tx.select().from(users).where(hasIdentity(identity)).for(ROW_LOCK);
  return row ?? null;
}

/** Locks the row, if there is one, until the transaction ends. */
export async function lockUser(tx: Executor, id: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for(ROW_LOCK);
}

/** Null when missing or deleted. */
export async function findUserById(db: Executor, id: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isPresent));
  return row ?? null;
}

/** False for others. An administrator stays one until the transaction ends. */
export async function lockAdministrator(tx: Executor, id: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.role, 'admin'), isPresent))
    .for('share');
  return row !== undefined;
}

export async function findUserByIdentity(
  db: Executor,
  identity: IdentityRef,
): Promise<Pick<UserRow, 'id' | 'role'> | null> {
  const [row] = await db.select({ id: users.id, role: users.role }).from(users).where(hasIdentity(identity));
  return row ?? null;
}

/** @param identity null until the first verified sign-in binds one */
export async function insertUser(tx: Executor, { identity, email, now, ...values }: NewUser): Promise<void> {
  await tx.insert(users).values({
    ...values,
    email: normalizeEmail(email),
    ...boundTo(identity),
    createdAt: now,
    updatedAt: now,
  });
}

export interface NewUser {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  role: Role;
  identity: IdentityRef | null;
  now: Date;
}

/** With null, the next person to verify the address gets the account. */
export const boundTo = (identity: IdentityRef | null) => ({
  identityIssuer: identity?.issuer ?? null,
  identitySubject: identity?.subject ?? null,
});

/** The caller holds the user's lock. Undefined fields stay. */
export async function updateUser(
  tx: Executor,
  id: string,
  fields: { [Name in keyof UserRow]?: UserRow[Name] | undefined },
  now: Date,
): Promise<void> {
  await tx
    .update(users)
    .set({ ...fields, updatedAt: now })
    .where(eq(users.id, id));
}

/** Replaces the issuers of the shop and of those that it was restored from. */
export async function renewIssuer(db: Executor, former: readonly string[], issuer: string): Promise<void> {
  if (former.length === 0) return;
  const isFormer = inArray(users.identityIssuer, [...former]);
  await db.update(users).set({ identityIssuer: issuer }).where(isFormer);
}

/**
 * Locks their rows until the transaction ends. An act on a person begins with it: two administrators who act
 * on each other would deadlock, each with the own row.
 */
export async function lockAdministrators(tx: Executor): Promise<number> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'admin'), isPresent))
    .orderBy(users.id)
    .for(ROW_LOCK);
  return rows.length;
}

/** Charges tax until an administrator confirms that none is owed. Repeatable. */
export async function askForTaxAgain(db: Executor, who: SQL): Promise<void> {
  const taxToCheck = sql`jsonb_build_object('tax', ${users.tax}, 'reason', ${users.taxReason})`;
  await db
    .update(users)
    .set({ tax: 'standard', taxReason: '', taxToCheck })
    .where(and(who, ne(users.tax, 'standard')));
}

/** Reverse charge that the profile, or the seller's country, does not allow. */
export const hasWrongReverseCharge = (sellerCountry = ''): SQL =>
  sql`(${users.tax} = 'reverse' and (${users.taxNumber} = '' or ${users.country} in ('', ${sellerCountry})))`;

/** In hundredths of a percent: the tax in every price that the customer does not pay. */
export async function findUntaxedRate(
  db: Executor,
  { tax: shop }: Pick<Config, 'tax'>,
  id: string,
): Promise<number> {
  const user = shop && (await findUserById(db, id));
  return user && user.tax !== 'standard' ? shop.rate : 0;
}

/** A request ends by itself after it. */
const ASKED_MS = 7 * 24 * 3_600_000;

/** Never for an administrator, to whom no link is given. Repeated requests write nothing. */
export async function askForPassword(db: Executor, issuer: string, email: string, now: Date): Promise<void> {
  const isNew = and(eq(users.identityIssuer, issuer), eq(users.role, 'user'), isNull(users.passwordAskedAt));
  await db
    .update(users)
    .set({ passwordAskedAt: now })
    .where(and(hasEmail(email), isNew));
}

/** Given a link, or a new password. */
export async function endPasswordRequest(tx: Executor, id: string): Promise<void> {
  await tx.update(users).set({ passwordAskedAt: null }).where(eq(users.id, id));
}

export async function purgePasswordRequests(db: Executor, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ASKED_MS);
  await db.update(users).set({ passwordAskedAt: null }).where(lt(users.passwordAskedAt, before));
}

/** Invoices have their copies. */
const noCompany = {
  company: '',
  taxNumber: '',
  billingAddress: '',
  country: '',
  tax: 'standard',
  taxReason: '',
  taxToCheck: null,
} as const;

/** The row stays for orders and reviews. */
export const markUserDeleted = (tx: Executor, id: string, now: Date): Promise<void> =>
  updateUser(tx, id, { ...noCompany, passwordAskedAt: null, deletedAt: now }, now);

const matchWords = (words: readonly string[]) =>
  and(...words.map((word) => sql`users.search like ${containsPattern(word)}`));

/** The row stays for orders. */
export async function eraseUser(tx: Executor, id: string, now: Date): Promise<void> {
  const erased = {
    name: 'Former customer',
    // Impossible, and unique for the index.
    email: `${id}@erased.invalid`,
    education: '',
    location: '',
    phone: '',
    linkdin: '',
    ...boundTo(null),
  };
  await updateUser(tx, id, erased, now);
  await markUserDeleted(tx, id, now);
}

export interface UserSearch extends PageRequest {
  /** Every word must occur in name or email. */
  q?: string | undefined;
  role?: Role | undefined;
  /** Only those who wait for a password link. */
  asked?: boolean;
}

/**
 * Newest first.
 * @throws Problem `invalid` for an unknown cursor
 */
export async function findUsers(
  db: Drizzle,
  { q, role, asked, ...request }: UserSearch,
): Promise<Page<User>> {
  const words = q ? await readSearchWords(db, q) : [];
  const matches = and(
    isPresent,
    matchWords(words),
    role ? eq(users.role, role) : undefined,
    asked ? isNotNull(users.passwordAskedAt) : undefined,
  );
  return findPage(db, users, request, newestFirst(users), matches, toUser);
}

/** Also of deleted users. */
export interface PersonName {
  name: string;
  email: string;
}

/** Skips unknown and null ids. */
export async function findPeople(
  db: Executor,
  ids: readonly (string | null)[],
  which?: SQL,
): Promise<Map<string, PersonName>> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const rows = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(and(inArray(users.id, known), which));
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

export const findPresentPeople = (db: Executor, ids: readonly string[]): Promise<Map<string, PersonName>> =>
  findPeople(db, ids, isPresent);

/** Finds deleted people, too. */
export async function findUserIds(db: Executor, words: readonly string[], limit: number): Promise<string[]> {
  const rows = await db.select({ id: users.id }).from(users).where(matchWords(words)).limit(limit);
  return rows.map(({ id }) => id);
}

export const hasAdministrator = async (db: Executor): Promise<boolean> =>
  (await db.$count(users, and(eq(users.role, 'admin'), isPresent))) > 0;
