import { purgePasswordRequests } from '#src/users/store.ts';
import type { IdentityServices } from './identity-services.ts';

export async function purgeExpired({
  tokens,
  identity,
  database,
  clock,
}: Pick<IdentityServices, 'tokens' | 'identity' | 'database' | 'clock'>): Promise<void> {
  await tokens.purgeExpired();
  await identity.purgeExpired?.();
  await purgePasswordRequests(database.db, clock.now());
}
