import { expect, test } from 'vitest';
import { buildLoginPath, parseReturnPath } from './return-path.ts';

test('a sign-in leads back to the previous page', () => {
  expect(buildLoginPath('/purchase/1?a=b&c')).toBe('/login?from=%2Fpurchase%2F1%3Fa%3Db%26c');
  expect(parseReturnPath('/purchase/1?a=b&c#d')).toBe('/purchase/1?a=b&c#d');
});

test('a sign-in without a return path leads to the home page', () => {
  expect(parseReturnPath(null)).toBe('/');
  expect(parseReturnPath('')).toBe('/');
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  'dashboard',
  ' /dashboard',
])('only a path of this shop is followed: %j leads home', (from) => {
  expect(parseReturnPath(from)).toBe('/');
});
