import type { IncomingMessage, RequestListener } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '#src/platform/core/config.ts';

/** Hops count from the shop outwards. */
export const trustHops =
  ({ trustedProxies }: Pick<Config, 'trustedProxies'>) =>
  (_address: string, hop: number): boolean =>
    hop < trustedProxies;

/** Like the framework's `request.ip`. */
export function createAddressReader(
  config: Pick<Config, 'trustedProxies'>,
): (request: IncomingMessage) => string | undefined {
  if (config.trustedProxies === 0) return ({ socket }) => socket.remoteAddress;
  const trust = trustHops(config);
  return (request) => proxyAddr(request, trust);
}

/**
 * Some proxies (Azure's gateway) write ports. Rate limits would count each connection as an address, and
 * the identity service would reject it.
 */
export function cutForwardedPorts(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  serve: RequestListener,
): RequestListener {
  if (trustedProxies === 0) return serve;
  return (request, response) => {
    const { headers } = request;
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded === 'string' && forwarded.includes(':'))
      headers['x-forwarded-for'] = forwarded.split(',').map(cutPort).join(', ');
    serve(request, response);
  };
}

/** `192.0.2.1:5678`, `[2001:db8::1]:5678` or `[2001:db8::1]`; IPv6 without brackets has no port. */
function cutPort(written: string): string {
  const address = written.trim();
  if (address.startsWith('[')) return address.slice(1).split(']', 1)[0] ?? '';
  const [host = '', , ...more] = address.split(':');
  return more.length === 0 ? host : address;
}
