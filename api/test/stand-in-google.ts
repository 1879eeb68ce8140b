import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { FirebaseEndpoints } from '#src/identity/firebase/firebase-endpoints.ts';
import { listen } from './listen.ts';

export const PROJECT = 'parts-forge-test';

export interface GoogleAccount {
  localId: string;
  email: string;
  emailVerified?: boolean;
  disabled?: boolean;
  validSince?: string;
  providerUserInfo: { providerId: string }[];
}

export interface GoogleCall {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * Key set, account look-up, authorized hosts, service account token, deletion. Tests sign tokens with its
 * key.
 */
export interface StandInGoogle {
  endpoints: FirebaseEndpoints;
  /** By id. */
  accounts: Map<string, GoogleAccount>;
  /** Hosts that may sign people in. */
  authorizedDomains: string[];
  /** `Referer` to which the API key is restricted; null: any. */
  allowedSite: string | null;
  calls: GoogleCall[];
  /** By the end of the path; null hangs until closed. */
  failures: Map<string, { status: number; body: object } | null>;
  /** Claims override Firebase's; `undefined` omits one. */
  sign(claims: JWTPayload): Promise<string>;
  /** The key set also gets the new key, unless it is set to fail. */
  changeKey(): Promise<void>;
  close(): Promise<void>;
}

/** In Google's exact form. */
export const refuseKey = (reason: string, message: string) => ({
  status: 403,
  body: {
    error: {
      code: 403,
      message,
      status: 'PERMISSION_DENIED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }],
    },
  },
});

const refuseReferrer = (referer: string) =>
  refuseKey('API_KEY_HTTP_REFERRER_BLOCKED', `Requests from referer ${referer} are blocked.`);

export async function startStandInGoogle(): Promise<StandInGoogle> {
  const keys = new Map<string, CryptoKey>();
  const jwks: object[] = [];
  let currentKeyId = '';
  const accounts = new Map<string, GoogleAccount>();
  const authorizedDomains = ['localhost', `${PROJECT}.firebaseapp.com`];
  const calls: GoogleCall[] = [];
  const failures: StandInGoogle['failures'] = new Map();

  async function changeKey(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    currentKeyId = `key-${keys.size + 1}`;
    keys.set(currentKeyId, privateKey);
    jwks.push({ ...(await exportJWK(publicKey)), kid: currentKeyId, alg: 'RS256', use: 'sig' });
  }
  await changeKey();

  const answers = buildAnswers({ jwks, accounts, authorizedDomains });
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const path = request.url ?? '';
    calls.push({ path, headers: request.headers, body });
    const name = Object.keys(answers).find((end) => path.split('?')[0]?.endsWith(end)) ?? '';
    const failure = failures.get(name);
    if (failure === null) return;
    const { referer = '<empty>' } = request.headers;
    const isBlocked =
      state.allowedSite !== null && path.includes('?key=') && !referer.startsWith(`${state.allowedSite}/`);
    const blocked = isBlocked ? refuseReferrer(referer) : null;
    const answer = blocked?.body ??
      failure?.body ??
      answers[name]?.(body) ?? { error: { message: 'NOT_HERE' } };
    response.writeHead(blocked?.status ?? failure?.status ?? ('error' in answer ? 400 : 200), {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(answer));
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;

  const state: StandInGoogle = {
    endpoints: {
      keys: `${origin}/keys`,
      accounts: `${origin}/v1`,
      renewal: `${origin}/renew`,
      token: `${origin}/token`,
    },
    allowedSite: null,
    accounts,
    authorizedDomains,
    calls,
    failures,
    changeKey,
    sign: async (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: currentKeyId })
        .sign(keys.get(currentKeyId) as CryptoKey),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return state;
}

/** Answers by the end of the path. */
const buildAnswers = ({
  jwks,
  accounts,
  authorizedDomains,
}: Pick<StandInGoogle, 'accounts' | 'authorizedDomains'> & { jwks: readonly object[] }): Record<
  string,
  (body: string) => object
> => ({
  '/keys': () => ({ keys: jwks }),
  'accounts:lookup': (body) => {
    const [, payload] = (JSON.parse(body) as { idToken: string }).idToken.split('.');
    if (payload === undefined) return { error: { code: 400, message: 'INVALID_ID_TOKEN' } };
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string };
    const account = accounts.get(sub);
    return account ? { users: [account] } : { error: { code: 400, message: 'USER_NOT_FOUND' } };
  },
  '/projects': () => ({ projectId: '1234567890', authorizedDomains }),
  '/renew': () => ({ error: { code: 400, message: 'INVALID_REFRESH_TOKEN', status: 'INVALID_ARGUMENT' } }),
  '/token': () => ({ access_token: 'a-google-token', expires_in: 3600, token_type: 'Bearer' }),
  'accounts:delete': (body) =>
    accounts.delete((JSON.parse(body) as { localId: string }).localId)
      ? {}
      : { error: { code: 400, message: 'USER_NOT_FOUND' } },
});
