import { IdentityError, OfflineError } from '#app/http/errors.ts';
import { askIdentityService } from './ask-identity-service.ts';
import type { IdentityClient, IdentityUser } from './identity-client.ts';

/** Handwritten, as every page's bar needs it: the library is eight times the size. */
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
    // At once, as browsers block a later window; empty, as a page of ours would lose contact when it leaves
    // for Google.
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

interface Signed {
  user: { id: string; email: string; name?: string | null };
}

interface CodeAsked {
  twoFactorRedirect: true;
}

const toIdentityUser = ({ user: { id, email, name } }: Signed): IdentityUser => ({
  id,
  email,
  displayName: name || null,
});
