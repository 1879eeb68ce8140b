import { canReadSigningKeys } from '#src/identity/signing-keys.ts';
import { countAppliedMigrations, countMigrations } from '#src/platform/database/migrate.ts';
import { type Finding, note, type Visit, works } from './check.ts';

/** Checks that the identity secret can decrypt the signing keys. */
export async function checkIdentity({ config, openDatabase }: Visit): Promise<Finding[]> {
  if (config.firebase !== null) return [];
  // Another check reports an unreachable database.
  const database = await openDatabase().catch(() => null);
  if (database === null || (await countAppliedMigrations(database.db)) < countMigrations()) return [];
  switch (await canReadSigningKeys(config, database.db)) {
    case 'none':
      return [works('The next start makes the signing keys.')];
    case 'yes':
      return [works('The signing keys can be read with the identity secret.')];
    case 'no':
      return [
        note(
          'The identity secret is another one than before: the next start ends every sign-in and makes new keys.',
        ),
      ];
  }
}
