import { EventEmitter } from 'node:events';
import { Server } from 'node:http';
import { normalizeIP } from '@fastify/rate-limit';
import { expect, test, vi } from 'vitest';
import { limitConnections } from './connection-limits.ts';

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '::'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8:1:2::9', '2001:db8:1:2::'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::'],
  ['2001:db8::7', '2001:db8::'],
  ['fe80::1%eth0', 'fe80::'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(normalizeIP(address)).toBe(network);
});

test('ended connections do not make the shop crowded', () => {
  const server = new Server();
  const listen = vi.fn();
  server.removeAllListeners('connection').on('connection', listen);
  limitConnections(server, { maxConnections: 20, maxConnectionsPerAddress: 10 });
  const connect = () => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress: '192.0.2.1' });
    server.emit('connection', socket);
    return socket;
  };
  for (let ended = 0; ended < 20; ended += 1) connect().emit('close');
  for (let open = 0; open < 10; open += 1) connect();
  expect(listen).toHaveBeenCalledTimes(30);
});
