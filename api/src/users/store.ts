import type { Role } from '@parts-forge/contract/policies';
import type { Profile, User } from '@parts-forge/contract/users';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import {
  containsPattern,
  findPage,
  newestFirst,
  type Page,
  type PageRequest,
  readSearchWords,
} from '#src/platform/database/find-page.ts';
import { users } from './schema.ts';

/** What an account is bound to at the identity service. */
export interface IdentityRef {
  issuer: string;
  subject: string;
}

export type UserRow = typeof users.$inferSelect;

/** A row as the wire shows it. */
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
  };
}

const isPresent = isNull(users.deletedAt);
const hasEmail = (email: string) => and(sql`lower(${users.email}) = ${normalizeEmail(email)}`, isPresent);
// Addresses are stored in lower case, made by JavaScript, as the database may know that of ASCII alone. PostgreSQL
// cannot take a NUL, and no address has one.
const normalizeEmail = (email: string) => email.trim().toLowerCase().replaceAll('\u0000', '\ufffd');

/**
 * Lets one transaction at a time work on the account of an address, also while there is none. Held to the end of
 * the transaction.
 */
export async function lockAddress(tx: Executor, email: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`users ${normalizeEmail(email)}`}, 0))`,
  );
}

/**
 * How a user's row is held: as an update holds it, so that rows which refer to it, such as lines of a batch, need not
 * wait. They would for `update`, and whoever removes the user waits for them in turn.
 */
const ROW_LOCK = 'no key update';

/**
 * The user of an address, compared without regard to case; null when there is none or it was deleted.
 * @param lock holds the row until the transaction ends
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

/** The user bound to an identity, locked until the transaction ends; null when there is none or it was deleted. */
export async function findUserByIdentity(
  tx: Executor,
  { issuer, subject }: IdentityRef,
): Promise<UserRow | null> {
  const [row] = await tx
    .select()
    .from(users)
    .where(and(eq(users.identityIssuer, issuer), eq(users.identitySubject, subject), isPresent))
    .for(ROW_LOCK);
  return row ?? null;
}

/** The user of an id; null when there is none or it was deleted. */
export async function findUserById(db: Executor, id: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isPresent));
  return row ?? null;
}

/** Whether the user administers the shop at this moment. */
export async function isAdministrator(db: Executor, id: string): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.role, 'admin'), isPresent));
  return row !== undefined;
}

/** Whether the user bound to an identity administers the shop at this moment. */
export async function isAdministratorByIdentity(db: Executor, identity: IdentityRef): Promise<boolean> {
  return (await readUserByIdentity(db, identity))?.role === 'admin';
}

/** The user whom an identity is bound to, as they are at this moment; null when there is none. */
export async function readUserByIdentity(
  db: Executor,
  { issuer, subject }: IdentityRef,
): Promise<Pick<UserRow, 'id' | 'role'> | null> {
  const [row] = await db
    .select({ id: users.id, role: users.role })
    .from(users)
    .where(and(eq(users.identityIssuer, issuer), eq(users.identitySubject, subject), isPresent));
  return row ?? null;
}

/** @param identity what the account is bound to; null until the first proven sign-in binds it */
export async function insertUser(tx: Executor, { identity, email, now, ...values }: NewUser): Promise<void> {
  await tx.insert(users).values({
    ...values,
    email: normalizeEmail(email),
    identityIssuer: identity?.issuer ?? null,
    identitySubject: identity?.subject ?? null,
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

/** Binds an account to an identity whose address is proven, and takes its name. */
export async function bindIdentity(
  tx: Executor,
  id: string,
  { issuer, subject }: IdentityRef,
  name: string,
  now: Date,
): Promise<void> {
  await tx
    .update(users)
    .set({ identityIssuer: issuer, identitySubject: subject, emailVerified: true, name, updatedAt: now })
    .where(eq(users.id, id));
}

/** Takes the binding away: the account is the next one's who proves the address. */
export async function unbindIdentity(tx: Executor, id: string, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({ identityIssuer: null, identitySubject: null, emailVerified: false, updatedAt: now })
    .where(eq(users.id, id));
}

/** The person has proven that the address is theirs. */
export async function markEmailVerified(tx: Executor, id: string, now: Date): Promise<void> {
  await tx.update(users).set({ emailVerified: true, updatedAt: now }).where(eq(users.id, id));
}

/** Gives a user another role. The caller holds the user's lock. */
export async function setRole(tx: Executor, id: string, role: Role, now: Date): Promise<void> {
  await tx.update(users).set({ role, updatedAt: now }).where(eq(users.id, id));
}

/** How many administrators there are; their rows are held until the transaction ends. */
export async function lockAdministrators(tx: Executor): Promise<number> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'admin'), isPresent))
    .orderBy(users.id)
    .for(ROW_LOCK);
  return rows.length;
}

/** Sets the profile's fields that are given; the others stay. */
export async function changeProfile(tx: Executor, id: string, profile: Profile, now: Date): Promise<void> {
  const given = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
  await tx
    .update(users)
    .set({ ...given, updatedAt: now })
    .where(and(eq(users.id, id), isPresent));
}

/** Hides the user everywhere; the row stays, as orders and reviews belong to it. */
export async function markUserDeleted(tx: Executor, id: string, now: Date): Promise<void> {
  await tx.update(users).set({ deletedAt: now, updatedAt: now }).where(eq(users.id, id));
}

/** Every word is somewhere in the name or email. */
const matchWords = (words: readonly string[]) =>
  and(...words.map((word) => sql`users.search like ${containsPattern(word)}`));

/** Hides the user and erases what says who it was; the row stays, as orders belong to it. */
export async function eraseUser(tx: Executor, id: string, now: Date): Promise<void> {
  const erased = {
    name: 'Former customer',
    // Not an address that anybody can have, and different for each, as the index on addresses wants it.
    email: `${id}@erased.invalid`,
    education: '',
    location: '',
    phone: '',
    linkdin: '',
    identityIssuer: null,
    identitySubject: null,
  };
  await tx
    .update(users)
    .set({ ...erased, deletedAt: now, updatedAt: now })
    .where(eq(users.id, id));
}

export interface UserSearch extends PageRequest {
  /** Every word is somewhere in name or email; empty means all. */
  q?: string | undefined;
  role?: Role | undefined;
}

/**
 * One page of the users, newest first.
 * @throws Problem `invalid` for a cursor that no answer gave out
 */
export async function findUsers(db: Executor, { q, role, ...request }: UserSearch): Promise<Page<User>> {
  const words = q ? await readSearchWords(db, q) : [];
  const matches = and(isPresent, matchWords(words), role ? eq(users.role, role) : undefined);
  return findPage(db, users, request, newestFirst(users), matches, toUser);
}

/** What an id of a user means to people, also of one who was removed. */
export interface PersonName {
  name: string;
  email: string;
}

/** The people of these ids, by id; whoever is unknown is left out, and null names nobody. */
export async function findPeople(
  db: Executor,
  ids: readonly (string | null)[],
): Promise<Map<string, PersonName>> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const rows = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, known));
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

/** The same, without those who were removed. */
export async function findPresentPeople(
  db: Executor,
  ids: readonly string[],
): Promise<Map<string, PersonName>> {
  const rows = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(and(inArray(users.id, [...new Set(ids)]), isPresent));
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

/** Ids of people whose name or email has all words, removed ones too. */
export async function findUserIds(db: Executor, words: readonly string[], limit: number): Promise<string[]> {
  const rows = await db.select({ id: users.id }).from(users).where(matchWords(words)).limit(limit);
  return rows.map(({ id }) => id);
}

/** Whether the shop has an administrator. */
export async function hasAdministrator(db: Executor): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'admin'), isPresent))
    .limit(1);
  return row !== undefined;
}
