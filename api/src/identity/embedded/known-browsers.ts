import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** Maximum accounts per browser; the least recent sign-in is dropped first. */
const MAX_ACCOUNTS = 8;

/**
 * Recognises, by a signed cookie, browsers that have signed in: other clients' wrong passwords do not delay
 * them. The cookie opens nothing; a stolen one allows a few more guesses at its accounts.
 */
export interface KnownBrowsers {
  /** The browser's id when somebody has signed in to the account from it; else null. */
  find(cookies: string | null, email: string): string | null;
  /** The `Set-Cookie` that makes the browser known to the account, and keeps it known to the others. */
  remember(cookies: string | null, email: string): string;
}

/** @param isSecure whether the cookie is https-only */
export function createKnownBrowsers(secret: string, isSecure: boolean): KnownBrowsers {
  const name = `${isSecure ? '__Secure-' : ''}shop.known_browser`;
  const cookie = new RegExp(`(?:^|;\\s*)${name.replace('.', '\\.')}=([\\w.~-]+)`);
  const sign = (text: string) =>
    createHmac('sha256', secret).update(`known browser\n${text}`).digest('base64url');
  // Not the address itself: every user of the browser can read a cookie.
  const toTag = (email: string) => sign(`account\n${email.trim().toLowerCase()}`).slice(0, 16);

  function read(cookies: string | null): { id: string; tags: string[] } | null {
    const value = cookie.exec(cookies ?? '')?.[1];
    const [text = '', signature = ''] = value?.split('~') ?? [];
    const [given, expected] = [Buffer.from(signature), Buffer.from(sign(text))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const [id = '', ...tags] = text.split('.');
    return { id, tags };
  }

  return {
    find(cookies, email) {
      const known = read(cookies);
      return known?.tags.includes(toTag(email)) ? known.id : null;
    },
    remember(cookies, email) {
      const known = read(cookies) ?? { id: randomBytes(12).toString('base64url'), tags: [] };
      const tag = toTag(email);
      const tags = [tag, ...known.tags.filter((other) => other !== tag)].slice(0, MAX_ACCOUNTS);
      const text = [known.id, ...tags].join('.');
      const attributes = `Max-Age=${YEAR_SECONDS}; Path=/identity; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
      return `${name}=${text}~${sign(text)}; ${attributes}`;
    },
  };
}
