import { importPKCS8, SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { Clock } from '#src/platform/core/clock.ts';
import type { FirebaseSettings } from '#src/platform/core/config/firebase.ts';
import { askGoogle } from './ask-google.ts';
import type { FirebaseEndpoints } from './firebase-endpoints.ts';

type ServiceAccount = NonNullable<FirebaseSettings['serviceAccount']>;

const SCOPE = 'https://www.googleapis.com/auth/identitytoolkit';
const ASSERTION_SECONDS = 600;
const MARGIN_MS = 60_000;

const tokenAnswer = z.object({ access_token: z.string(), expires_in: z.number() });

interface AdminParts {
  projectId: string;
  serviceAccount: ServiceAccount;
  endpoints: Pick<FirebaseEndpoints, 'accounts' | 'token'>;
  clock: Clock;
}

/** Repeatable. Throws when Google refuses or cannot be asked. */
export function createAccountDeletion({ projectId, serviceAccount, endpoints, clock }: AdminParts) {
  let bought: { token: string; expiresAtMs: number } | null = null;

  async function requireToken(): Promise<string> {
    const nowMs = clock.now().getTime();
    if (!bought || bought.expiresAtMs - MARGIN_MS < nowMs) {
      const { access_token, expires_in } = await buyToken(serviceAccount, endpoints.token, nowMs);
      bought = { token: access_token, expiresAtMs: nowMs + expires_in * 1000 };
    }
    return bought.token;
  }

  return async (subject: string): Promise<void> => {
    const address = `${endpoints.accounts}/projects/${encodeURIComponent(projectId)}/accounts:delete`;
    const authorization = `Bearer ${await requireToken()}`;
    const { status, refusal, reason } = await askGoogle(address, { localId: subject }, { authorization });
    if (status === 200 || refusal === 'USER_NOT_FOUND') return;
    // A withdrawn token; the next try gets a new one.
    if (status === 401) bought = null;
    throw new Error(`Firebase refused to delete an account: ${reason}`);
  };
}

/**
 * RFC 7523.
 * @throws GoogleUnavailable, or an error with Google's code for a refused key
 */
export async function buyToken(
  { clientEmail, privateKey }: ServiceAccount,
  tokenUrl: string,
  nowMs: number,
): Promise<z.infer<typeof tokenAnswer>> {
  const seconds = Math.floor(nowMs / 1000);
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(clientEmail)
    .setAudience(tokenUrl)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + ASSERTION_SECONDS)
    .sign(await importPKCS8(privateKey, 'RS256'));
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  const { status, body, reason } = await askGoogle(tokenUrl, new URLSearchParams(grant));
  if (status !== 200) throw new Error(`Google refused the service account: ${reason}`);
  return tokenAnswer.parse(body);
}
