import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { resolveOrigin } from './origin.ts';

const asked = (host: string) => ({ protocol: 'http', headers: { host } }) as FastifyRequest;
const longest = `${'a'.repeat(253)}:65535`;

test('the configured origin wins', () => {
  expect(resolveOrigin(asked('localhost'), { origin: 'https://shop.example' })).toBe('https://shop.example');
});

test('the requested host replaces a missing origin', () => {
  expect(resolveOrigin(asked('localhost:3000'), { origin: null })).toBe('http://localhost:3000');
  expect(resolveOrigin(asked('a"<b>/c'), { origin: null })).toBe('http://abc');
  expect(resolveOrigin(asked(longest), { origin: null })).toBe(`http://${longest}`);
});

test('a host longer than any name is refused', () => {
  expect(() => resolveOrigin(asked(`a${longest}`), { origin: null })).toThrow('The request cannot be read');
});
