import { messages } from '@parts-forge/contract/messages';
import { IdentityError } from '#app/http/errors.ts';
import { readAnswer, sendRequest } from '#app/http/http.ts';
import type { IdentityClient, IdentityUser } from './identity-client.ts';

/**
 * The identity service that runs inside the shop, at /identity. Its session is a cookie that scripts cannot
 * read. Written by hand: the library's own client is eight times the size, and the bar of every page needs it.
 */
export const embeddedIdentity: IdentityClient = {
  async getCurrentUser() {
    const body = await ask<{ user: ServiceUser } | null>('GET', '/get-session');
    return body && toIdentityUser(body.user);
  },
  async signUp(person) {
    return toIdentityUser((await ask<{ user: ServiceUser }>('POST', '/sign-up/email', person)).user);
  },
  async signIn(credentials) {
    return toIdentityUser((await ask<{ user: ServiceUser }>('POST', '/sign-in/email', credentials)).user);
  },
  async signInWithGoogle() {
    // This service has no Google client; the sentence is the contract's ("Accounts").
    throw new IdentityError(messages.googleNotSetUp);
  },
  async getIdToken() {
    const response = await send('GET', '/token');
    if (response.status === 401) return null;
    return (await readBody<{ token: string }>(response)).token;
  },
  async signOut() {
    await ask('POST', '/sign-out', {});
  },
};

interface ServiceUser {
  email: string;
  name?: string | null;
}

const toIdentityUser = ({ email, name }: ServiceUser): IdentityUser => ({ email, displayName: name || null });

async function ask<Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
  return readBody<Body>(await send(method, path, body));
}

function send(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
  return sendRequest(`/identity${path}`, {
    method,
    // Signing out must arrive even when the page is being left.
    keepalive: method === 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

/**
 * @throws IdentityError with the service's own words, or the shop's where the service was not reached
 * @throws OfflineError when the answer did not arrive whole: it must not count as "nobody is signed in"
 */
async function readBody<Body>(response: Response): Promise<Body> {
  if (response.ok) return readAnswer<Body>(response);
  const body: unknown = await response.json().catch(() => null);
  const { message, detail } = (body ?? {}) as { message?: unknown; detail?: unknown };
  throw new IdentityError(
    String(message ?? detail ?? 'The sign-in service is not available at the moment.'),
    response.status >= 500 ? response.headers.get('x-request-id') : null,
  );
}
