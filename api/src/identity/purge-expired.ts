import type { IdentityServices } from './identity-services.ts';

/** Tokens, sessions and unfinished accounts. Runs hourly; repeatable. */
export async function purgeExpired({
  tokens,
  identity,
}: Pick<IdentityServices, 'tokens' | 'identity'>): Promise<void> {
  await tokens.purgeExpired();
  await identity.purgeExpired?.();
}
