import type { IdentityServices } from './identity-services.ts';

/** Removes tokens, sessions and half-made accounts that have run out. Run hourly; harmless to repeat. */
export async function purgeExpired({
  tokens,
  identity,
}: Pick<IdentityServices, 'tokens' | 'identity'>): Promise<void> {
  await tokens.purgeExpired();
  await identity.purgeExpired?.();
}
