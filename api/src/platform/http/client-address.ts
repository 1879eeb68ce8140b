import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '#src/platform/core/config.ts';

/** Whether `X-Forwarded-For` is believed that a hop has written, counted from the shop outwards. */
export const trustHops =
  ({ trustedProxies }: Pick<Config, 'trustedProxies'>) =>
  (_address: string, hop: number): boolean =>
    hop < trustedProxies;

/** @returns the address of whoever sent a request, as the framework's `request.ip` has it */
export function createAddressReader(
  config: Pick<Config, 'trustedProxies'>,
): (request: IncomingMessage) => string | undefined {
  if (config.trustedProxies === 0) return ({ socket }) => socket.remoteAddress;
  const trust = trustHops(config);
  return (request) => proxyAddr(request, trust);
}
