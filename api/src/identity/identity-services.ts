import type { Platform } from '#src/platform/platform.ts';
import type { AccessTokens } from './access-token.ts';
import type { IdentityProvider } from './provider.ts';

export type IdentityServices = Platform & { tokens: AccessTokens; identity: IdentityProvider };
