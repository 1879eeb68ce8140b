import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { useShop } from '#test/use-shop.ts';

const shop = useShop();

describe('every response', () => {
  test('every response has the security headers and names no library', async () => {
    for (const path of ['/product', '/product/1', '/nothing', '/user']) {
      const { headers } = await shop.request(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin');
      expect(headers.get('content-security-policy')).not.toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  test('a wrong method is 405 with Allow, an unknown path 404', async () => {
    const wrong = await shop.request('/product', { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    const accept = await shop.request(`/order/accept/${randomUUID()}`);
    expect([accept.status, accept.headers.get('allow')]).toEqual([405, 'PUT']);
    const unknown = await shop.request('/nothing/here', { method: 'POST' });
    expect([unknown.status, unknown.body.type]).toEqual([404, 'urn:parts-forge:problem:not-found']);
    const unreadable = await shop.request('/%E0%A4%A');
    expect([unreadable.status, unreadable.headers.get('x-content-type-options')]).toEqual([404, 'nosniff']);
  });

  test('invalid HTTP gets a refusal like all others', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(shop.config.port, '127.0.0.1', () => socket.end('GARBAGE\r\n\r\n'));
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes;
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('x-content-type-options: nosniff');
    expect(answer).toMatch(/x-request-id: [\da-f-]{36}\r\n/);
    expect(answer).toContain('"type":"urn:parts-forge:problem:bad-request"');
  });

  test('GET /config gives the page its settings and no secret', async () => {
    const { body } = await shop.request('/config');
    expect(body).toEqual({
      identity: {
        kind: 'embedded',
        google: false,
        selfService: true,
        mail: false,
        adminSecondFactor: 'optional',
      },
      payments: { mode: 'sandbox', publishableKey: 'pk_test_sandbox', scriptUrl: expect.any(String) },
      images: {
        maxBytes: 10_485_760,
        types: expect.arrayContaining(['image/png']),
        widths: [160, 320, 640, 1280],
      },
      holdHours: 72,
      contactEmail: null,
      timeZone: 'UTC',
      chargesTax: false,
      wishes: false,
      shop: {
        name: 'Parts Forge',
        tagline: expect.any(String),
        description: expect.any(String),
        address: ['48 Foundry Lane', 'Sheffield S3 8GG', 'United Kingdom'],
        links: [
          { name: 'Facebook', url: 'https://www.facebook.com/' },
          { name: 'Instagram', url: 'https://www.instagram.com/' },
          { name: 'Twitter', url: 'https://twitter.com/' },
        ],
        picture: '/og.png',
      },
    });
  });

  test('/readyz refuses before the shop ends, without a log line', async () => {
    shop.app.readiness.isLeaving = true;
    const { status, headers } = await shop.request('/readyz');
    shop.app.readiness.isLeaving = false;
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(shop.errors).toEqual([]);
  });

  test('/healthz and /readyz report that the shop and its parts work', async () => {
    expect((await shop.request('/healthz')).status).toBe(200);
    expect((await shop.request('/readyz')).body).toEqual({ database: true, identity: true });
  });
});
