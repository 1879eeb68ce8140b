/** Where Google answers; tests put servers of their own there. */
export interface FirebaseEndpoints {
  /** The public keys that Firebase signs its tokens with, as a JWK set. */
  keys: string;
  /** The accounts of every project, without a slash at the end. */
  accounts: string;
  /** Where a service account buys its access token. */
  token: string;
}

export const googleEndpoints: FirebaseEndpoints = {
  keys: 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
  accounts: 'https://identitytoolkit.googleapis.com/v1',
  token: 'https://oauth2.googleapis.com/token',
};

/** The issuer of a project's tokens. Accounts are bound to it and to their own id, never to an address. */
export const firebaseIssuer = (projectId: string) => `https://securetoken.google.com/${projectId}`;
