import { randomBytes, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { settings } from '#src/db/schema.ts';
import type { Executor } from './connection.ts';

/** Facts that are made once per database and shared by all its processes. */
export type SettingName =
  | 'instance_id'
  | 'identity_secret'
  | 'sandbox_secret_key'
  | 'sandbox_webhook_secret'
  | 'image_key_secret'
  | 'demo_seeded'
  | 'first_admin';

/** The value of a setting; made by `make` when there is none yet. The first writer of all processes wins. */
export async function settingOf(db: Executor, name: SettingName, make: () => string): Promise<string> {
  const [kept] = await db
    .insert(settings)
    .values({ name, value: make() })
    .onConflictDoUpdate({ target: settings.name, set: { value: sql`${settings.value}` } })
    .returning({ value: settings.value });
  if (!kept) throw new Error(`The setting ${name} could not be kept.`);
  return kept.value;
}

/** The value of a setting; null when nobody made it yet. */
export async function findSetting(db: Executor, name: SettingName): Promise<string | null> {
  const [kept] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, name));
  return kept?.value ?? null;
}

/** Tells databases apart, as in a shared payment account (docs/payments.md, "Which payments are ours"). */
export const instanceIdOf = (db: Executor) => settingOf(db, 'instance_id', randomUUID);

/** A secret of 32 random bytes, in base64url. */
export const secretOf = (db: Executor, name: SettingName) =>
  settingOf(db, name, () => randomBytes(32).toString('base64url'));
