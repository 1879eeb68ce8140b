import type { CustomerTax, Profile } from '@parts-forge/contract/people/users';
import { eq } from 'drizzle-orm';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { type Actor, type Administrator, actAs } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { users } from './schema.ts';
import {
  askForTaxAgain,
  findUserByEmail,
  findUserById,
  lockAdministrators,
  type UserRow,
  updateUser,
} from './store.ts';

/**
 * Counts for orders placed later. Repeatable. The trail has no reason, which goes with the account.
 * @param reason empty for `standard`
 * @throws Problem `not-found`, `invalid` for reverse charge that the profile does not allow
 */
export async function changeTax(
  { config, changes, clock, ids }: Pick<Platform, 'config' | 'changes' | 'clock' | 'ids'>,
  administrator: Administrator,
  email: string,
  tax: CustomerTax,
  reason: string,
): Promise<void> {
  await changes.write(async (tx, changed) => {
    await lockAdministrators(tx);
    await administrator.confirm(tx);
    const now = clock.now();
    const user = await findUserByEmail(tx, email, { lock: true });
    if (!user) throw new Problem('not-found');
    if (tax === 'reverse') requireReverse(user, config.seller.country?.code);
    await updateUser(tx, user.id, { tax, taxReason: reason, taxToCheck: null }, now);
    changed('users');
    if (user.tax === tax && user.taxReason === reason) return;
    const facts = { before: { tax: user.tax }, after: { tax } };
    await writeEntry(tx, { id: ids.next(), now, event: 'tax-changed', userId: user.id, ...facts });
  });
}

/** Directive 2006/112/EC, article 226. @throws Problem `invalid` */
function requireReverse(user: UserRow, sellerCountry: string | undefined): void {
  for (const [path, name] of [
    ['taxNumber', 'tax number'],
    ['country', 'country'],
  ] as const) {
    if (user[path] !== '') continue;
    throw invalidField(path, `Reverse charge needs a ${name}: the customer enters it in My Profile`);
  }
  if (sellerCountry === undefined)
    throw invalidField('country', 'Reverse charge needs the country of the seller: set SELLER_COUNTRY');
  if (user.country !== sellerCountry) return;
  throw invalidField('country', `Reverse charge needs another country than the seller's, ${sellerCountry}`);
}

/** What an administrator decided for other facts of the company holds no longer. */
const decidedFor = ['company', 'taxNumber', 'country'] as const;

/** Another company, tax number or country ends that a customer pays no tax. */
export async function changeProfile(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  actor: Actor,
  profile: Profile,
): Promise<void> {
  await actAs(changes, actor, async (tx, changed) => {
    const now = clock.now();
    const user = await findUserById(tx, actor.userId);
    if (!user) return;
    await updateUser(tx, user.id, profile, now);
    if (user.tax === 'standard' || decidedFor.every((name) => (profile[name] ?? user[name]) === user[name]))
      return;
    await askForTaxAgain(tx, eq(users.id, user.id));
    changed('users');
    const facts = { before: { tax: user.tax }, after: { tax: 'standard' } };
    await writeEntry(tx, { id: ids.next(), now, event: 'tax-changed', userId: user.id, ...facts });
  });
}
