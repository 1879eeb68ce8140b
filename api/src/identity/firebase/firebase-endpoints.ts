export interface FirebaseEndpoints {
  keys: string;
  /** Without a trailing slash. */
  accounts: string;
  /** Token renewal by browsers; a restricted key must name this API. */
  renewal: string;
  token: string;
  /** Serves the sign-in pages; by default the project's own host. */
  helpers?: string;
}

export const googleEndpoints: FirebaseEndpoints = {
  keys: 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
  accounts: 'https://identitytoolkit.googleapis.com/v1',
  renewal: 'https://securetoken.googleapis.com/v1/token',
  token: 'https://oauth2.googleapis.com/token',
};

/** Accounts are bound to the issuer and their own id, never to an address. */
export const firebaseIssuer = (projectId: string) => `https://securetoken.google.com/${projectId}`;

/**
 * A key restricted to the shop's site requires the referrer that browsers send.
 * @param origin null: Google refuses a restricted key
 */
export const fromSite = (origin: string | null): Record<string, string> =>
  origin === null ? {} : { referer: `${origin}/` };
