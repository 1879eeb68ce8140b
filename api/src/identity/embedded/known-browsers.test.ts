import { describe, expect, test } from 'vitest';
import { createKnownBrowsers } from './known-browsers.ts';

const browsers = createKnownBrowsers('a secret', false);
const [amara, kofi] = ['amara@fieldrepair.example', 'kofi@fieldrepair.example'];
const read = (setCookie: string) => setCookie.split(';')[0] ?? '';

describe('a browser that has signed in', () => {
  test('is known to that account only', () => {
    const cookie = read(browsers.remember(null, amara));
    expect(browsers.find(cookie, ' AMARA@fieldrepair.example ')).toMatch(/^[\w-]{16}$/);
    expect(browsers.find(cookie, kofi)).toBeNull();
    expect(browsers.find(`theme=dark; ${cookie}; x=1`, amara)).not.toBeNull();
  });

  test('serves eight accounts with one id and drops the oldest', () => {
    let cookie = read(browsers.remember(null, amara));
    const id = browsers.find(cookie, amara);
    cookie = read(browsers.remember(cookie, kofi));
    expect([browsers.find(cookie, amara), browsers.find(cookie, kofi)]).toEqual([id, id]);
    for (let n = 0; n < 7; n += 1) cookie = read(browsers.remember(cookie, `${n}@fieldrepair.example`));
    expect([browsers.find(cookie, amara), browsers.find(cookie, kofi)]).toEqual([null, id]);
  });

  test('gets an anonymous cookie, hidden from scripts and from plain http', () => {
    const cookie = browsers.remember(null, amara);
    expect(cookie).not.toContain('amara');
    expect(cookie).toMatch(/; Max-Age=31536000; Path=\/identity; HttpOnly; SameSite=Lax$/);
    expect(createKnownBrowsers('a secret', true).remember(null, amara)).toMatch(/; SameSite=Lax; Secure$/);
  });
});

describe('a forged cookie', () => {
  const cookie = read(browsers.remember(null, amara));
  test.each([
    ['none', null],
    ['of another secret', read(createKnownBrowsers('another', false).remember(null, amara))],
    ['with another browser’s id', cookie.replace(/=[^.]+/, '=x')],
    ['without its signature', cookie.replace(/~.*/, '')],
    ['without anything', 'shop.known_browser='],
    ['under a longer name', `x${cookie}`],
    ['with another account added', cookie.replace('~', '.AAAAAAAAAAAAAAAA~')],
  ])('%s makes no browser known', (_what, forged) => {
    expect(browsers.find(forged, amara)).toBeNull();
  });
});
