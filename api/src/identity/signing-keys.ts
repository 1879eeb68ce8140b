import { desc } from 'drizzle-orm';
import type { Config } from '#src/platform/core/config.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { findMetadata } from '#src/platform/database/metadata.ts';
import { identityKeys } from './schema.ts';

/** Creates and deletes no key. */
export async function canReadSigningKeys(
  { identitySecret }: Pick<Config, 'identitySecret'>,
  db: Executor,
): Promise<'yes' | 'no' | 'none'> {
  const [key] = await db.select().from(identityKeys).orderBy(desc(identityKeys.createdAt)).limit(1);
  if (!key) return 'none';
  const secret = identitySecret ?? (await findMetadata(db, 'identity_secret'));
  if (secret === null) return 'no';
  const { symmetricDecrypt } = await import('better-auth/crypto');
  try {
    // Better Auth stores the encrypted key as a JSON text.
    await symmetricDecrypt({ key: secret, data: JSON.parse(key.privateKey) });
    return 'yes';
  } catch {
    return 'no';
  }
}
