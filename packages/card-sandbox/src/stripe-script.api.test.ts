import { expect, test } from 'vitest';
import { useSandbox } from '#test/start-sandbox.ts';

const sandbox = useSandbox();

test('the page gets a classic script that browsers may cache', async () => {
  const script = await sandbox.request('/sandbox/stripe/stripe.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.text).not.toMatch(/^(import|export) /m);
  expect(() => new Function(script.text)).not.toThrow();
  const etag = script.headers.get('etag') ?? '';
  const again = await sandbox.request('/sandbox/stripe/stripe.js', { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});
