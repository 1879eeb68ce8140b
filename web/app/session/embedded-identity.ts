import { IdentityError, OfflineError } from '#app/http/errors.ts';
import { askIdentityService } from './ask-identity-service.ts';
import type { IdentityClient, IdentityUser } from './identity-client.ts';

/**
 * The identity service that runs inside the shop, at /identity. Its session is a cookie that scripts cannot
 * read. Written by hand: the library's own client is eight times the size, and the bar of every page needs it. The
 * paths are the contract's (`identity-service.ts`), which would bring the validation library along.
 */
export const embeddedIdentity: IdentityClient = {
  async getCurrentUser() {
    const body = await askIdentityService<Signed | null>('GET', '/identity/get-session');
    return body && toIdentityUser(body);
  },
  async signUp(person) {
    return toIdentityUser(await askIdentityService<Signed>('POST', '/identity/sign-up/email', person));
  },
  async signIn(credentials) {
    const path = '/identity/sign-in/email';
    const body = await askIdentityService<Signed | CodeAsked>('POST', path, credentials);
    return 'user' in body ? { status: 'signed-in', user: toIdentityUser(body) } : { status: 'code-asked' };
  },
  async confirmSignIn({ kind, code }) {
    const path = `/identity/two-factor/verify-${kind === 'backup' ? 'backup-code' : 'totp'}`;
    return toIdentityUser(await askIdentityService<Signed>('POST', path, { code }));
  },
  async signInWithGoogle() {
    // At once, as a browser opens no window after a wait; and empty, as a page of ours in it would cut it off from
    // this one when it leaves for Google.
    const popup = window.open('', '_blank', 'popup,width=480,height=680');
    const { signInThroughPopup } = await import('./google-popup.ts').catch(() => {
      popup?.close();
      throw new OfflineError();
    });
    return signInThroughPopup(popup, embeddedIdentity.getCurrentUser);
  },
  async requestPasswordReset(email) {
    const path = '/identity/request-password-reset';
    return (await askIdentityService<{ message: string }>('POST', path, { email })).message;
  },
  async getIdToken() {
    try {
      return (await askIdentityService<{ token: string }>('GET', '/identity/token')).token;
    } catch (error) {
      if (error instanceof IdentityError && error.status === 401) return null;
      throw error;
    }
  },
  async signOut() {
    await askIdentityService('POST', '/identity/sign-out', {});
  },
};

/** What the service answers about somebody with a session. */
interface Signed {
  user: { id: string; email: string; name?: string | null };
}

/** What it answers to a right password where a code is asked next. */
interface CodeAsked {
  twoFactorRedirect: true;
}

const toIdentityUser = ({ user: { id, email, name } }: Signed): IdentityUser => ({
  id,
  email,
  displayName: name || null,
});
