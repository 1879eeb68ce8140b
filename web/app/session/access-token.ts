import { storeIn } from '#app/ui/browser-storage.ts';

export const ACCESS_TOKEN_KEY = 'accessToken';

let tokenOfPage: string | null = null;

export function readAccessToken(): string | null {
  try {
    return localStorage.getItem(ACCESS_TOKEN_KEY) ?? tokenOfPage;
  } catch {
    return tokenOfPage;
  }
}

/** Then only the identity service's cookie outlives a page. */
export function isStorageForbidden(): boolean {
  try {
    localStorage.getItem(ACCESS_TOKEN_KEY);
    return false;
  } catch {
    return true;
  }
}

export function storeAccessToken(token: string): void {
  tokenOfPage = null;
  try {
    localStorage.setItem(ACCESS_TOKEN_KEY, token);
  } catch {
    tokenOfPage = token;
  }
}

export function removeAccessToken(): void {
  tokenOfPage = null;
  storeIn('localStorage', ACCESS_TOKEN_KEY, null);
}
