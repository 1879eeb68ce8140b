import { createHash } from 'node:crypto';
import type { FirebaseSettings } from '#src/platform/core/config/firebase.ts';
import type { Config } from '#src/platform/core/config.ts';

/**
 * Hosts of the card provider (docs/payments.md, "Security"); the sandbox needs none but ours. The page that takes cards
 * has them and no other: whoever comes there from another page has it loaded anew, with a policy of its own.
 */
const stripe = {
  script: 'https://js.stripe.com https://*.js.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: 'https://api.stripe.com',
};

/** Origins other than the shop's own at which pages show pictures, and to which they send them. */
export interface PictureOrigins {
  show: readonly string[];
  send: readonly string[];
}

/**
 * Hosts of Firebase's client: its calls, and for the sign-in by popup Google's script and the frame on the project's own
 * host that the popup reports to.
 */
const listFirebaseHosts = ({ authDomain }: FirebaseSettings) => ({
  script: 'https://apis.google.com',
  frame: `https://${authDomain}`,
  connect: 'https://identitytoolkit.googleapis.com https://securetoken.googleapis.com',
});

const none = { script: '', frame: '', connect: '' };

const paymentPage = /^\/dashboard\/payment(\/[^/]+)?$/;

/** Whether the page at the path loads the card provider's script. */
const takesCards = (path: string, { stripe: account }: Pick<Config, 'stripe'>): boolean =>
  account !== null && paymentPage.test(path);

const inlineScript = /<script(?<attributes>(?:\s[^>]*)?)>(?<code>[\s\S]*?)<\/script>/g;

/**
 * The content security policy of the finished page at a path: scripts of ours by address, the inline ones by their hashes,
 * nothing else. React escapes what people wrote, so that no `<script` of the page can be theirs.
 */
export function createContentSecurityPolicy(
  html: string,
  path: string,
  config: Pick<Config, 'stripe' | 'firebase'>,
  pictures: PictureOrigins,
): string {
  const cards = takesCards(path, config) ? stripe : none;
  const signIn = config.firebase ? listFirebaseHosts(config.firebase) : none;
  return [
    "default-src 'none'",
    `script-src 'self' ${[...hashInlineScripts(html)].join(' ')} ${cards.script} ${signIn.script}`,
    "style-src 'self'",
    // `data:` and `blob:` are the marks of form controls in the style sheet and the preview of a chosen picture.
    `img-src 'self' data: blob: ${pictures.show.join(' ')}`,
    "font-src 'self'",
    `connect-src 'self' ${cards.connect} ${signIn.connect} ${pictures.send.join(' ')}`,
    `frame-src 'self' ${cards.frame} ${signIn.frame}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
    .map((directive) => directive.replace(/ +/g, ' ').trim())
    .join('; ');
}

/** What goes with every page beside the headers of every answer. */
export const createPageHeaders = (path: string, config: Pick<Config, 'stripe'>): Record<string, string> => ({
  // The popup of a sign-in service must be able to report back.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': `camera=(), geolocation=(), microphone=(), payment=(self${takesCards(path, config) ? ' "https://js.stripe.com"' : ''})`,
});

function hashInlineScripts(html: string): Set<string> {
  const hashes = new Set<string>();
  for (const { groups } of html.matchAll(inlineScript)) {
    const { attributes = '', code = '' } = groups ?? {};
    if (/\ssrc=/.test(attributes) || /type="application\//.test(attributes)) continue;
    hashes.add(`'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  }
  return hashes;
}
