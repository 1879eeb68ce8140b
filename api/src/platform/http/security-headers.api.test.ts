import { expect, test } from 'vitest';
import { newEmail } from '#test/identity.ts';
import { startShop } from '#test/start-shop.ts';
import { useShop } from '#test/use-shop.ts';

const shop = useShop();

/** `Strict-Transport-Security` of a page, a call, a refusal and an unreadable address, with this `ORIGIN`. */
async function transportSecurity(origin: string): Promise<Set<string | null>> {
  const there = await startShop({ env: { ORIGIN: origin, PAYMENTS: 'sandbox' }, shareDatabaseWith: shop });
  try {
    const paths = ['/blogs', '/product', '/order', '/nothing', '/product/%E0%A4%A'];
    const answers = await Promise.all(paths.map((path) => there.request(path)));
    return new Set(answers.map(({ headers }) => headers.get('strict-transport-security')));
  } finally {
    await there.close();
  }
}

test('every response of a public https shop has HSTS for a year', async () => {
  expect(await transportSecurity('https://shop.example')).toEqual(new Set(['max-age=31536000']));
});

test.each(['http://shop.example', 'https://localhost:3000', 'https://127.0.0.1:3000', ''])(
  'a shop at %j sends no HSTS',
  async (origin) => {
    expect(await transportSecurity(origin)).toEqual(new Set([null]));
  },
);

test('no response may be framed, sniffed or leak its path to links', async () => {
  for (const path of ['/', '/blogs', '/product', '/order', '/nothing', '/product/%E0%A4%A', '/readyz']) {
    for (const accept of ['text/html', 'application/json']) {
      const { headers } = await shop.request(path, { headers: { accept } });
      expect(headers.get('content-security-policy'), path).toMatch(
        /^default-src 'none'.*frame-ancestors 'none'/,
      );
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('strict-origin');
    }
  }
});

test('a public https origin uses cookies for https alone', async () => {
  const origin = 'https://shop.example';
  const there = await startShop({ env: { ORIGIN: origin, PAYMENTS: 'sandbox' }, shareDatabaseWith: shop });
  try {
    const { headers } = await there.request('/identity/sign-up/email', {
      method: 'POST',
      body: { email: newEmail(), name: 'Amara Okafor', password: 'secret-1' },
      headers: { origin },
    });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Secure-shop\.session_token=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Secure-shop\.known_browser=.*; HttpOnly; SameSite=Lax; Secure$/),
    ]);
  } finally {
    await there.close();
  }
});
