import type { FastifyInstance } from 'fastify';
import { requestDeletion } from '#src/identity/hosted-deletions.ts';
import type { IdentityProvider } from '#src/identity/provider.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import type { FirebaseSettings } from '#src/platform/core/config/firebase.ts';
import { requireLivingAccount } from './firebase-account.ts';
import { createAccountDeletion } from './firebase-admin.ts';
import { type FirebaseEndpoints, firebaseIssuer, googleEndpoints } from './firebase-endpoints.ts';
import { createFirebaseTokenCheck, type FirebaseClaims } from './firebase-token.ts';
import { serveHelperPages } from './helper-pages.ts';

export interface FirebaseIdentityParts {
  settings: FirebaseSettings;
  /** Null for a demonstration. */
  origin: string | null;
  clock: Clock;
  endpoints?: FirebaseEndpoints;
  checkToken?: (idToken: string) => Promise<FirebaseClaims>;
}

export function createFirebaseIdentity({
  settings,
  origin,
  clock,
  endpoints = googleEndpoints,
  checkToken = createFirebaseTokenCheck({ projectId: settings.projectId, clock, keysUrl: endpoints.keys }),
}: FirebaseIdentityParts): IdentityProvider {
  const { projectId, apiKey, authDomain, serviceAccount } = settings;
  const { helpers = `https://${projectId}.firebaseapp.com/__` } = endpoints;
  const issuer = firebaseIssuer(projectId);
  const lookUp = { accountsUrl: endpoints.accounts, apiKey, origin };
  const deleteAccount =
    serviceAccount && createAccountDeletion({ projectId, serviceAccount, endpoints, clock });
  return {
    pageConfig: {
      kind: 'firebase',
      google: true,
      selfService: false,
      mail: true,
      adminSecondFactor: 'optional',
      firebase: { projectId, apiKey, authDomain },
    },
    async verify(idToken) {
      const claims = await checkToken(idToken);
      const { emailVerified } = await requireLivingAccount(lookUp, idToken, claims);
      const { subject, email, name, authTime } = claims;
      return { issuer, subject, email, emailVerified, name, authTime, sessionId: null };
    },
    async deleteIdentity(identity, tx) {
      // The account may be a former service's.
      if (deleteAccount && identity.issuer === issuer) await requestDeletion(tx, identity, clock.now());
    },
    ...(deleteAccount && { deleteHostedAccount: deleteAccount }),
    ...(origin !== null &&
      new URL(origin).host === authDomain && {
        routes: async (app: FastifyInstance) => serveHelperPages(app, helpers),
      }),
    // Google's availability is not the shop's health: cached keys and tokens still work.
    async assertReady() {},
  };
}
