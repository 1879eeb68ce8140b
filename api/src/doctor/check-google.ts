import { identityServiceCalls } from '@parts-forge/contract/people/identity-service';
import * as z from 'zod/mini';
import { trustedOrigins } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import { type Finding, fails, note, readReason, type Visit, works } from './check.ts';
import { ask } from './running-shop.ts';

type Client = NonNullable<Config['google']>;

/** Required fields (OpenID Connect Discovery 1.0, section 3). */
const discovery = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});
type Discovery = z.output<typeof discovery>;

const refusal = z.object({ error: z.string() });

/** Checks the discovery document and the client's registration. */
export async function checkGoogle({ config }: Visit): Promise<Finding[]> {
  const { google } = config;
  if (google === null) return [];
  let provider: Discovery;
  try {
    provider = discovery.parse(await (await ask(google.discoveryUrl)).json());
  } catch (error) {
    const reason = error instanceof z.core.$ZodError ? 'it is no discovery document' : readReason(error);
    return [fails(`GOOGLE_DISCOVERY_URL ${google.discoveryUrl} cannot be used: ${reason}.`)];
  }
  const address = findRedirectAddress(config);
  return [
    compareIssuer(google, provider),
    await checkClient(google, provider, address),
    note(`At ${provider.issuer}, ${address} must be among the client's redirect addresses.`),
  ];
}

/** A document at another provider's address would vouch for foreign accounts (section 4.3). */
function compareIssuer({ discoveryUrl }: Client, { issuer }: Discovery): Finding {
  const expected = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  return expected === discoveryUrl
    ? works(`The discovery document of ${issuer} can be read.`)
    : fails(`GOOGLE_DISCOVERY_URL ${discoveryUrl} gives the document of another issuer: ${issuer}.`);
}

/**
 * Sends an invalid code. The provider refuses the code of a known client (`invalid_grant`), or the client
 * (`invalid_client`; RFC 6749, section 5.2).
 */
async function checkClient(client: Client, provider: Discovery, address: string): Promise<Finding> {
  const names = 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET';
  try {
    const answer = await ask(provider.token_endpoint, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'asked-by-the-doctor',
        redirect_uri: address,
        client_id: client.clientId,
        client_secret: client.clientSecret,
      }),
    });
    const { error } = refusal.parse(await answer.json());
    if (error === 'invalid_grant') return works(`${provider.issuer} takes ${names}.`);
    return fails(`${provider.issuer} refuses ${names}: ${error}.`);
  } catch (error) {
    const reason = error instanceof z.core.$ZodError ? 'its answer is none of OAuth' : readReason(error);
    return note(`Whether ${provider.issuer} takes ${names} cannot be seen: ${reason}.`);
  }
}

const findRedirectAddress = (config: Pick<Config, 'origin' | 'port'>): string =>
  `${trustedOrigins(config)[0] ?? ''}${identityServiceCalls.finishGoogleSignIn.path}`;
