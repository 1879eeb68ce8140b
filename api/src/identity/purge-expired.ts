import type { IdentityServices } from './identity-services.ts';

/** Repeatable. */
export async function purgeExpired({
  tokens,
  identity,
}: Pick<IdentityServices, 'tokens' | 'identity'>): Promise<void> {
  await tokens.purgeExpired();
  await identity.purgeExpired?.();
}
