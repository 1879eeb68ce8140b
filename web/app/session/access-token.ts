/** Under which name the access token is stored in the browser (specification §9). */
export const ACCESS_TOKEN_KEY = 'accessToken';

/** The stored access token; null without one, or where storage is forbidden. */
export function readAccessToken(): string | null {
  try {
    return localStorage.getItem(ACCESS_TOKEN_KEY);
  } catch {
    return null;
  }
}

export function storeAccessToken(token: string): void {
  localStorage.setItem(ACCESS_TOKEN_KEY, token);
}

export function removeAccessToken(): void {
  try {
    localStorage.removeItem(ACCESS_TOKEN_KEY);
  } catch {
    // Without storage there is nothing to remove.
  }
}
