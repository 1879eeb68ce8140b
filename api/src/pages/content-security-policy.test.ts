import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createContentSecurityPolicy, createPageHeaders } from './content-security-policy.ts';

const sandbox = { stripe: null, firebase: null };
const live = {
  firebase: null,
  stripe: { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecrets: ['whsec_1'], apiUrl: null },
};
const hosted = {
  stripe: null,
  firebase: {
    projectId: 'parts-forge-1',
    apiKey: 'a-public-key',
    authDomain: 'parts-forge-1.firebaseapp.com',
    serviceAccount: null,
  },
};
const hash = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

const here: string[] = [];

const paying = '/dashboard/payment/019a0000-0000-7000-8000-000000000000';
const directives = (
  html: string,
  config: typeof sandbox | typeof live | typeof hosted = sandbox,
  { path = paying, pictures = here } = {},
) => createContentSecurityPolicy(html, path, config, pictures).split('; ');
const scripts = (html: string) => directives(html).find((text) => text.startsWith('script-src '));

describe('the content security policy of a page', () => {
  test("a page may load only the shop's own content, unframed", () => {
    expect(directives('<p>nothing</p>')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
  });

  test('the policy allows the origins of pictures', () => {
    const pictures = ['https://cdn.example', 'https://i.example'];
    expect(directives('<p>nothing</p>', sandbox, { pictures })).toContain(
      "img-src 'self' data: blob: https://cdn.example https://i.example",
    );
  });

  test('the payment page allows the card provider (docs/explanation/payments.md, "Security")', () => {
    expect(directives('<p>nothing</p>', live)).toEqual([
      "default-src 'none'",
      "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self' https://api.stripe.com",
      "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
  });

  test("a payment of several orders allows the card provider's hosts", () => {
    const together = '/dashboard/payment';
    expect(directives('<p>nothing</p>', live, { path: together })).toEqual(
      directives('<p>nothing</p>', live, { path: paying }),
    );
  });

  test('Firebase sign-in allows its hosts and only the configured project', () => {
    expect(directives('<p>nothing</p>', hosted).filter((text) => text.includes('https:'))).toEqual([
      "script-src 'self' https://apis.google.com",
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com",
      "frame-src 'self' https://parts-forge-1.firebaseapp.com",
    ]);
  });

  test.each(['/', '/dashboard/my-orders', '/dashboard/payments', `${paying}/more`, `/x${paying}`])(
    'the page %s, which takes no cards, allows no other host',
    (path) => {
      expect(directives('<p>nothing</p>', live, { path })).toEqual(directives('<p>nothing</p>', sandbox));
      expect(createPageHeaders(path, live)).toEqual(createPageHeaders(path, sandbox));
    },
  );

  test('each distinct inline script is allowed by one hash', () => {
    const html = '<script>one()</script><p></p><script type="module">two()</script><script>one()</script>';
    expect(scripts(html)).toBe(`script-src 'self' ${hash('one()')} ${hash('two()')}`);
  });

  test('the hash covers a whole script across its lines', () => {
    const code = '\n  a < b;\n  c > d;\n';
    expect(scripts(`<script>${code}</script>`)).toBe(`script-src 'self' ${hash(code)}`);
    expect(scripts('<script></script>')).toBe(`script-src 'self' ${hash('')}`);
    expect(scripts('<script async\n defer>x()</script>')).toBe(`script-src 'self' ${hash('x()')}`);
  });

  test('scripts with an address and data get no hash', () => {
    const html = `
      <script src="/assets/a.js"></script><script async src="/assets/b.js">x()</script>
      <script type="application/ld+json">{"@type":"Product"}</script>
      <script type="application/json">{}</script>`;
    expect(scripts(html)).toBe("script-src 'self'");
  });

  test('only script elements get a hash', () => {
    expect(scripts('<scripts>x()</scripts><script-x>y()</script-x>')).toBe("script-src 'self'");
    expect(scripts('<script data-src="x">x()</script>')).toBe(`script-src 'self' ${hash('x()')}`);
  });
});

describe('the page headers', () => {
  test('the headers permit sign-in popups and no device access', () => {
    expect(createPageHeaders(paying, sandbox)).toEqual({
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(self)',
    });
  });

  test('the payment page permits payment requests of the card provider', () => {
    expect(createPageHeaders(paying, live)['permissions-policy']).toBe(
      'camera=(), geolocation=(), microphone=(), payment=(self "https://js.stripe.com")',
    );
  });
});
