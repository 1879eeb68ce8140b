import type { Platform } from '#src/platform/platform.ts';
import type { AccessTokens } from './access-token.ts';
import type { IdentityProvider } from './provider.ts';

/** Dependencies of the sign-in use cases. */
export type IdentityServices = Platform & { tokens: AccessTokens; identity: IdentityProvider };
