import type { FirebaseProject } from '@parts-forge/contract/people/identity';
import { OfflineError } from '#app/http/errors.ts';
import type { IdentityClient } from './identity-client.ts';

export function createFirebaseLoader(
  project: FirebaseProject,
  load: (project: FirebaseProject) => Promise<IdentityClient> = openFirebase,
): IdentityClient {
  let loaded: IdentityClient | null = null;
  let loading: Promise<IdentityClient> | null = null;
  const require = () => {
    loading ??= load(project).then(
      (client) => {
        loaded = client;
        return client;
      },
      () => {
        loading = null;
        throw new OfflineError();
      },
    );
    return loading;
  };
  return {
    prepare: async () => void (await require()),
    getCurrentUser: async () => (await require()).getCurrentUser(),
    signUp: async (person) => (await require()).signUp(person),
    signIn: async (credentials) => (await require()).signIn(credentials),
    confirmSignIn: async (code) => (await require()).confirmSignIn(code),
    // Browsers block a popup after a wait.
    signInWithGoogle: () =>
      loaded ? loaded.signInWithGoogle() : require().then((client) => client.signInWithGoogle()),
    requestPasswordReset: async (email) => (await require()).requestPasswordReset(email),
    getIdToken: async (options) => (await require()).getIdToken(options),
    sendVerificationMail: async () => {
      const answer = await (await require()).sendVerificationMail?.();
      return answer ?? { verified: false };
    },
    signOut: async () => (await require()).signOut(),
  };
}

const openFirebase = async (project: FirebaseProject) =>
  (await import('./firebase-identity.ts')).openFirebase(project);
