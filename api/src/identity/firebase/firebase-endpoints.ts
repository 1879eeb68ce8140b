/** Where Google answers; tests put servers of their own there. */
export interface FirebaseEndpoints {
  /** The public keys that Firebase signs its tokens with, as a JWK set. */
  keys: string;
  /** The accounts of every project, without a slash at the end. */
  accounts: string;
  /** Where a browser renews its token, an API of its own that a restricted key has to name. */
  renewal: string;
  /** Where a service account buys its access token. */
  token: string;
}

export const googleEndpoints: FirebaseEndpoints = {
  keys: 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
  accounts: 'https://identitytoolkit.googleapis.com/v1',
  renewal: 'https://securetoken.googleapis.com/v1/token',
  token: 'https://oauth2.googleapis.com/token',
};

/** The issuer of a project's tokens. Accounts are bound to it and to their own id, never to an address. */
export const firebaseIssuer = (projectId: string) => `https://securetoken.google.com/${projectId}`;

/**
 * The headers of a call with the API key. Where the key is restricted to the shop's site, Google asks of the server what
 * every browser sends by itself.
 * @param origin of the shop; null: a key that is restricted to sites is refused
 */
export const fromSite = (origin: string | null): Record<string, string> =>
  origin === null ? {} : { referer: `${origin}/` };
