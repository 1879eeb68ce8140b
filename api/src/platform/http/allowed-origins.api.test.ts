import { expect, test } from 'vitest';
import { startForTest } from '#test/use-shop.ts';

test('an allowed origin may make every call, another origin may not', async () => {
  const open = await startForTest({
    env: { PAYMENTS: 'sandbox', ALLOWED_ORIGINS: 'https://front.example' },
  });
  const ask = (origin: string) =>
    open.request('/user/a@b.example', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      },
    });
  const allowed = await ask('https://front.example');
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://front.example');
  expect(allowed.headers.get('access-control-allow-methods')).toContain('PUT');
  expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  const { headers } = await open.request('/product', { headers: { origin: 'https://front.example' } });
  expect(headers.get('vary')?.toLowerCase()).toBe('origin, accept-encoding');
});
