import { createHash } from 'node:crypto';
import type { FirebaseSettings } from '#src/platform/core/config/firebase.ts';
import type { Config } from '#src/platform/core/config.ts';

/**
 * Only the payment page allows the card provider's hosts (docs/explanation/payments.md, "Security"). It is
 * reloaded on entry, to get its own policy.
 */
const stripe = {
  script: 'https://js.stripe.com https://*.js.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: 'https://api.stripe.com',
};

/** Firebase's API, and for sign-in by popup Google's script and the project's frame. */
const listFirebaseHosts = ({ authDomain }: FirebaseSettings) => ({
  script: 'https://apis.google.com',
  frame: `https://${authDomain}`,
  connect: 'https://identitytoolkit.googleapis.com https://securetoken.googleapis.com',
});

const none = { script: '', frame: '', connect: '' };

const paymentPage = /^\/dashboard\/payment(\/[^/]+)?$/;

const takesCards = (path: string, { stripe: account }: Pick<Config, 'stripe'>): boolean =>
  account !== null && paymentPage.test(path);

const inlineScript = /<script(?<attributes>(?:\s[^>]*)?)>(?<code>[\s\S]*?)<\/script>/g;

/**
 * Allows the shop's own scripts, inline ones by hash. React escapes user texts, so no `<script` comes from a
 * user.
 */
export function createContentSecurityPolicy(
  html: string,
  path: string,
  config: Pick<Config, 'stripe' | 'firebase'>,
  pictureOrigins: readonly string[],
): string {
  const cards = takesCards(path, config) ? stripe : none;
  const signIn = config.firebase ? listFirebaseHosts(config.firebase) : none;
  return [
    "default-src 'none'",
    `script-src 'self' ${[...hashInlineScripts(html)].join(' ')} ${cards.script} ${signIn.script}`,
    "style-src 'self'",
    // For icons of form controls and the preview of a chosen picture.
    `img-src 'self' data: blob: ${pictureOrigins.join(' ')}`,
    "font-src 'self'",
    `connect-src 'self' ${cards.connect} ${signIn.connect}`,
    `frame-src 'self' ${cards.frame} ${signIn.frame}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
    .map((directive) => directive.replace(/ +/g, ' ').trim())
    .join('; ');
}

export const createPageHeaders = (path: string, config: Pick<Config, 'stripe'>): Record<string, string> => ({
  // Sign-in popups must be able to report back.
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
