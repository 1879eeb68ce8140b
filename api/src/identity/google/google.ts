import { googlePopupPath, identityServiceCalls } from '@parts-forge/contract/people/identity-service';
import { genericOAuth } from 'better-auth/plugins';
import { decodeJwt, type JWTPayload } from 'jose';
import * as z from 'zod/mini';
import { refuse } from '#src/identity/embedded/identity-refusals.ts';
import type { Config } from '#src/platform/core/config.ts';
import { GOOGLE, type GooglePerson } from './google-claims.ts';

export interface GoogleSettings extends NonNullable<Config['google']> {
  /** The only origin that Google sends people back to. */
  origin: string;
}

/**
 * The library's own provider for Google hardcodes addresses, checks no signature and binds no nonce.
 * @param onProven called before the person's account is looked up
 */
export const createGooglePlugin = (
  settings: GoogleSettings,
  onProven: (person: GooglePerson) => Promise<void>,
) => guardProvider(configurePlugin(settings, onProven), settings.clientId);

const configurePlugin = (
  { clientId, clientSecret, discoveryUrl, prompt, origin }: GoogleSettings,
  onProven: (person: GooglePerson) => Promise<void>,
) =>
  genericOAuth({
    config: [
      {
        providerId: GOOGLE,
        name: 'Google',
        clientId,
        clientSecret,
        discoveryUrl,
        prompt,
        // Must be among the client's redirect URIs at Google.
        redirectURI: origin + identityServiceCalls.finishGoogleSignIn.path,
        scopes: ['openid', 'email', 'profile'],
        requireIdTokenVerification: true,
        disableProviderLogout: true,
        async getUserInfo({ idToken }) {
          const profile = readProfile(idToken);
          if (profile) await onProven({ ...profile, subject: profile.sub });
          return profile;
        },
      },
    ],
  });

/** Shorter than a customer's patience. */
const EXCHANGE_MS = 5_000;

/**
 * A timeout for the code exchange, and a refusal of ID tokens issued to another client (OpenID Connect Core
 * 1.0, section 3.1.3.7).
 */
function guardProvider(plugin: ReturnType<typeof configurePlugin>, clientId: string): typeof plugin {
  return {
    ...plugin,
    async init(context) {
      const opened = await plugin.init(context);
      for (const provider of opened.context.socialProviders) {
        if (provider.id !== GOOGLE) continue;
        const exchange = provider.validateAuthorizationCode;
        provider.validateAuthorizationCode = (data) => Promise.race([exchange(data), tooLate(EXCHANGE_MS)]);
        if (provider.idToken && 'jwks' in provider.idToken)
          provider.idToken.verifyClaims = (payload) => isMadeFor(clientId, payload);
      }
      return opened;
    },
  };
}

function isMadeFor(clientId: string, { aud, azp }: JWTPayload): boolean {
  const needsParty = Array.isArray(aud) && aud.length > 1;
  return azp === undefined ? !needsParty : azp === clientId;
}

const tooLate = (ms: number) =>
  new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('Google does not answer'), { code: 'ETIMEDOUT' });
    setTimeout(reject, ms, error).unref();
  });

const claims = z.object({
  sub: z.string().check(z.minLength(1)),
  email: z.string().check(z.minLength(3)),
  // Only `true` is proof; the library also accepts the text "false".
  email_verified: z.optional(z.unknown()),
  name: z.optional(z.unknown()),
});

/** The library has checked signature, audience, issuer and nonce, but nothing without an ID token. */
function readProfile(idToken: string | undefined) {
  const parsed = claims.safeParse(idToken && decodeJwt(idToken));
  if (!parsed.success) return null;
  const { sub, email, email_verified, name } = parsed.data;
  return {
    sub,
    email: email.toLowerCase(),
    emailVerified: email_verified === true,
    name: typeof name === 'string' ? name : '',
  };
}

const popupAddress = new RegExp(`^${googlePopupPath.replace('.', '\\.')}\\?id=[\\w-]{1,64}$`);
const signInBody = z.strictObject({
  provider: z.literal(GOOGLE),
  callbackURL: z.string().check(z.regex(popupAddress)),
  errorCallbackURL: z.string().check(z.regex(popupAddress)),
  disableRedirect: z.literal(true),
});

/**
 * The library would also take a foreign ID token, wider scopes and other return addresses.
 * @throws APIError 403 for another origin, where the sign-in's cookie would stay
 */
export function checkGoogleSignIn(body: unknown, origin: string | null, shopOrigin: string): void {
  if (origin !== shopOrigin) throw refuse('Invalid origin', 'INVALID_ORIGIN', 'FORBIDDEN');
  if (!signInBody.safeParse(body).success) throw refuse('Invalid sign-in with Google', 'INVALID_BODY');
}
