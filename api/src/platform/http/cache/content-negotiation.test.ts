import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { compress, matchesEtag, negotiateEncoding, varyBy } from './content-negotiation.ts';

describe('encoding', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.1', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['identity', null],
    ['deflate', null],
    ['br;q=0', null],
    ['', null],
    [undefined, null],
  ])('the encoding for %j is %s', (accepted, encoding) => {
    expect(negotiateEncoding(accepted)).toBe(encoding);
  });

  test.each([20, 5000])('a compressed body decodes to the original (%i sentences)', async (sentences) => {
    const text = Buffer.from('Flexible panel bonded to its cover glass. '.repeat(sentences));
    expect(brotliDecompressSync(await compress(text, 'br')).equals(text)).toBe(true);
    expect(gunzipSync(await compress(text, 'gzip')).equals(text)).toBe(true);
  });
});

test('Vary names everything that a response depends on', async () => {
  const app = Fastify();
  app.get('/', async (_request, reply) => {
    varyBy(reply, 'accept-encoding');
    varyBy(reply, 'origin');
    return 'x';
  });
  app.get('/one', async (_request, reply) => {
    varyBy(reply, 'origin');
    return 'x';
  });
  expect((await app.inject('/')).headers.vary).toBe('accept-encoding, origin');
  expect((await app.inject('/one')).headers.vary).toBe('origin');
  await app.close();
});

describe('If-None-Match', () => {
  test('the weak mark counts only at the beginning of a tag', () => {
    expect(matchesEtag('"aW/b"', '"ab"')).toBe(false);
  });

  test.each(['W/"a"', '"a"', ' "a" ', '*', ' * ', '"b", "a"', '"b",W/"a"', 'W/"b" , W/"a"'])(
    'If-None-Match %s matches',
    (header) => {
      expect(matchesEtag(header, 'W/"a"')).toBe(true);
      expect(matchesEtag(header, '"a"')).toBe(true);
    },
  );

  test.each([undefined, '', '"b"', 'a', '"aa"', 'W/"A"', 'xW/"a"', '"b", *', '""'])(
    'If-None-Match %s does not match',
    (header) => {
      expect(matchesEtag(header, 'W/"a"')).toBe(false);
    },
  );
});
