import { initializeApp } from '@firebase/app';
import {
  type Auth,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  createUserWithEmailAndPassword,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
  updateProfile,
} from '@firebase/auth';
import type { FirebaseProject } from '@parts-forge/contract/people/identity';
import { isEndedSession, toIdentityError } from './firebase-errors.ts';
import type { IdentityClient, IdentityUser, Registration } from './identity-client.ts';

/**
 * `getAuth` would load all parts, and `firebase` re-exports these packages with 183 MB instead of 23
 * (November 2026).
 * @throws IdentityError
 */
export function openFirebase({ projectId, apiKey, authDomain }: FirebaseProject): IdentityClient {
  const auth = initializeAuth(initializeApp({ projectId, apiKey, authDomain }), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
    popupRedirectResolver: browserPopupRedirectResolver,
  });
  return {
    prepare: () => ask(() => auth.authStateReady()),
    getCurrentUser: () =>
      ask(async () => {
        await auth.authStateReady();
        return auth.currentUser && toIdentityUser(auth.currentUser);
      }),
    signUp: (person) => ask(() => signUp(auth, person)),
    signIn: ({ email, password }) =>
      ask(async () => {
        const { user } = await signInWithEmailAndPassword(auth, email, password);
        return { status: 'signed-in', user: toIdentityUser(user) };
      }),
    confirmSignIn: () => Promise.reject(new Error('Firebase asks for no code.')),
    signInWithGoogle: () =>
      ask(async () => toIdentityUser((await signInWithPopup(auth, createGoogleProvider())).user)),
    requestPasswordReset: (email) =>
      ask(async () => {
        await sendPasswordResetEmail(auth, email);
        return 'If there is an account with this email, a message with a link is on its way.';
      }),
    getIdToken: ({ fresh } = { fresh: false }) => ask(() => getIdToken(auth, fresh)),
    sendVerificationMail: () => ask(() => sendVerificationMail(auth)),
    signOut: () => ask(() => signOut(auth)),
  };
}

async function signUp(auth: Auth, { name, email, password }: Registration): Promise<IdentityUser> {
  const { user } = await createUserWithEmailAndPassword(auth, email, password);
  await updateProfile(user, { displayName: name });
  // Only a new token contains the name.
  await user.getIdToken(true);
  // A failed mail must not fail the sign-up.
  await sendEmailVerification(user).catch(() => undefined);
  return toIdentityUser(user);
}

async function getIdToken(auth: Auth, fresh: boolean): Promise<string | null> {
  await auth.authStateReady();
  const { currentUser } = auth;
  if (!currentUser) return null;
  return currentUser.getIdToken(fresh).catch((error: unknown) => {
    if (isEndedSession(error)) return null;
    throw error;
  });
}

async function sendVerificationMail(auth: Auth): Promise<{ verified: boolean }> {
  await auth.authStateReady();
  const { currentUser } = auth;
  if (!currentUser) throw new Error('Nobody is signed in at Firebase any more.');
  // The link may have been opened since the sign-in.
  await currentUser.reload();
  if (currentUser.emailVerified) return { verified: true };
  await sendEmailVerification(currentUser);
  return { verified: false };
}

async function ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw toIdentityError(error);
  }
}

/** Users with several Google accounts choose one. */
function createGoogleProvider(): GoogleAuthProvider {
  const provider = new GoogleAuthProvider();
  provider.setCustomParameters({ prompt: 'select_account' });
  return provider;
}

/** The shop refuses an account without an address. */
const toIdentityUser = ({ uid, email, displayName }: User): IdentityUser => ({
  id: uid,
  email: email ?? '',
  displayName: displayName || null,
});
