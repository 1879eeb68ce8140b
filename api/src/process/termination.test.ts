import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { isGone, isOpen, postmasterPid, settings, startShopProcess } from '#test/processes.ts';

describe('the shop', () => {
  test('closes in order on SIGTERM and leaves no PostgreSQL behind', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const pid = postmasterPid(given.DATA_DIR);
    shop.child.kill('SIGTERM');
    expect(await shop.ended).toBe(0);
    await isGone(pid);
    expect(existsSync(join(given.DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('finishes the answers it has begun when it is told to end, and takes no new ones', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const socket = connect(Number(given.PORT), '127.0.0.1').setEncoding('utf8');
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    // The call has begun: its head is there, its body is still on the way.
    socket.write('POST /order HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n');
    socket.write('expect: 100-continue\r\ncontent-length: 2\r\n\r\n');
    await vi.waitFor(() => expect(answer).toContain('100 Continue'), { timeout: 10_000 });
    shop.child.kill('SIGTERM');
    await vi.waitFor(() => expect(shop.said()).toContain('Closing the shop.'), { timeout: 10_000 });
    await expect(fetch(`http://127.0.0.1:${given.PORT}/healthz`)).rejects.toThrow();
    socket.write('{}');
    await vi.waitFor(() => expect(answer).toContain('HTTP/1.1 401'), { timeout: 10_000 });
    expect(await shop.ended).toBe(0);
  });

  test('killed at once leaves no PostgreSQL behind, and the next start needs no repair', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const pid = postmasterPid(given.DATA_DIR);
    shop.child.kill('SIGKILL');
    const next = startShopProcess(given);
    await isOpen(next);
    await isGone(pid);
  });

  test('says so and ends when PostgreSQL dies', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    process.kill(postmasterPid(given.DATA_DIR), 'SIGKILL');
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toContain('PostgreSQL ended unexpectedly (status 137); the shop closes.');
  });
});
