import { createHash } from 'node:crypto';
import type { FirebaseSettings } from '#src/platform/core/config/firebase.ts';
import type { Config } from '#src/platform/core/config.ts';

/**
 * Hosts of the card provider (docs/payments.md, "Security"); the sandbox needs none but ours. Every page has them:
 * whoever comes to the payment page from another one keeps that one's document, and its policy.
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

const inlineScript = /<script(?<attributes>(?:\s[^>]*)?)>(?<code>[\s\S]*?)<\/script>/g;

/**
 * The content security policy of a finished page: scripts of ours by address, the inline ones by their hashes,
 * nothing else. React escapes what people wrote, so that no `<script` of the page can be theirs.
 */
export function createContentSecurityPolicy(
  html: string,
  config: Pick<Config, 'stripe' | 'firebase'>,
  pictures: PictureOrigins,
): string {
  const cards = config.stripe ? stripe : none;
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
export const createPageHeaders = (config: Pick<Config, 'stripe'>): Record<string, string> => ({
  // The popup of a sign-in service must be able to report back.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': `camera=(), geolocation=(), microphone=(), payment=(self${config.stripe ? ' "https://js.stripe.com"' : ''})`,
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
