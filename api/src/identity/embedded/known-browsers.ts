import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const MAX_ACCOUNTS = 8;

/**
 * A signed cookie names a browser that has signed in, which attackers' wrong passwords do not delay. A
 * stolen one only allows a few more guesses.
 */
export function createKnownBrowsers(secret: string, isSecure: boolean) {
  const name = `${isSecure ? '__Secure-' : ''}shop.known_browser`;
  const cookie = new RegExp(`(?:^|;\\s*)${name.replace('.', '\\.')}=([\\w.~-]+)`);
  const sign = (text: string) =>
    createHmac('sha256', secret).update(`known browser\n${text}`).digest('base64url');
  // Not the address itself: any user of the browser can read the cookie.
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
    find(cookies: string | null, email: string): string | null {
      const known = read(cookies);
      return known?.tags.includes(toTag(email)) ? known.id : null;
    },
    remember(cookies: string | null, email: string): string {
      const known = read(cookies) ?? { id: randomBytes(12).toString('base64url'), tags: [] };
      const tag = toTag(email);
      const tags = [tag, ...known.tags.filter((other) => other !== tag)].slice(0, MAX_ACCOUNTS);
      const text = [known.id, ...tags].join('.');
      const attributes = `Max-Age=${YEAR_SECONDS}; Path=/identity; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
      return `${name}=${text}~${sign(text)}; ${attributes}`;
    },
  };
}
