import { createHmac } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { MAX_WEBHOOK_ADDRESS } from '@parts-forge/contract/calls/bounds';
import { notAnAddress } from '@parts-forge/contract/events/webhooks';
import ipaddr from 'ipaddr.js';
import { invalidField } from '#src/platform/core/problem.ts';

/** Headers included; the claim of a webhook must last longer. */
const ATTEMPT_MS = 10_000;

export interface Posting {
  url: string;
  /** A signature by each. */
  secrets: readonly string[];
  id: string;
  now: Date;
  body: string;
  /** May have any address, and http. */
  hosts: readonly string[];
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  resolve?: typeof resolveHost;
}

export interface Answer {
  /** Status, or a code such as `ECONNREFUSED`. */
  answer: string;
  ms: number;
}

/**
 * `postEvent` judges a name again, as it may resolve differently then; one that does not resolve now passes.
 * @returns the address as it is requested
 * @throws Problem `invalid`
 */
export async function requirePublicAddress(
  given: string,
  hosts: readonly string[],
  resolve = resolveHost,
): Promise<string> {
  const url = URL.parse(given);
  if (!url || url.username || url.password || given.includes('#') || url.href.length > MAX_WEBHOOK_ADDRESS)
    throw invalidField('url', notAnAddress);
  if (isFree(url, hosts)) return url.href;
  if (url.protocol !== 'https:') throw invalidField('url', 'Must begin with https://');
  const found = isPrivate(url.hostname) ? null : await resolve(url.hostname).catch(() => []);
  if (found === null || (found.length > 0 && !found.some(isPublic)))
    throw invalidField('url', 'Must not be an address of a private network');
  return url.href;
}

/** One attempt, which never fails. The answer's body is not read, and redirects are not followed. */
export async function postEvent(posting: Posting): Promise<Answer> {
  const { signal, timeoutMs = ATTEMPT_MS } = posting;
  const begun = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const answer = await request(posting, ended).catch((error: NodeJS.ErrnoException) =>
    timeout.aborted ? 'TIMEOUT' : (error.code ?? 'FAILED'),
  );
  return { answer, ms: Math.round(performance.now() - begun) };
}

/** @returns the status */
async function request(posting: Posting, signal: AbortSignal): Promise<string> {
  const { body, hosts, resolve = resolveHost } = posting;
  const url = new URL(posting.url);
  const free = isFree(url, hosts);
  // The setting may have lost the host; and Node looks up no literal address.
  if (!free && (url.protocol !== 'https:' || isPrivate(url.hostname))) throw refusedAddress();
  const send = url.protocol === 'https:' ? https.request : http.request;
  return new Promise((answered, failed) => {
    const outgoing = send({
      ...urlToHttpOptions(url),
      method: 'POST',
      headers: signHeaders(posting),
      // Without a proxy of the environment, and without connections that others opened.
      agent: false,
      signal,
      ...(!free && { lookup: resolvePublic(resolve), autoSelectFamily: true }),
    });
    outgoing.on('error', failed);
    let interim = 0;
    outgoing.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM) outgoing.destroy(new Error('too many interim answers'));
    });
    outgoing.on('close', () => failed(new Error('closed without an answer')));
    outgoing.once('response', ({ statusCode }) => {
      answered(String(statusCode));
      outgoing.destroy();
    });
    outgoing.end(body);
  });
}

/** Judges the addresses that the socket then connects to; `autoSelectFamily` takes them all. */
const resolvePublic =
  (resolve: typeof resolveHost): LookupFunction =>
  (hostname, _, callback) => {
    resolve(hostname).then(
      (found) => {
        const allowed = found.filter(isPublic).map((address) => ({ address, family: isIP(address) }));
        callback(allowed.length > 0 ? null : refusedAddress(), allowed);
      },
      (error) => callback(error, []),
    );
  };

/** Answers before the answer, such as 103: an endless row of them would keep the process busy. */
const MAX_INTERIM = 10;

/** Not by `lookup`: a name server that hangs would take the threads that sign-ins need. */
async function resolveHost(hostname: string): Promise<string[]> {
  // Once: a name server that drops one of the two questions would take the whole attempt.
  const resolver = new Resolver({ timeout: 3_000, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (addresses.length === 0 && found[0].status === 'rejected') throw found[0].reason;
  return addresses;
}

/** A public address that leads into the machine's own cloud. */
const AZURE_METADATA = '168.63.129.16';
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** False of addresses that carry another (mapped, NAT64, 6to4, Teredo), and of unassigned ones. */
function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  return (
    parsed.range() === 'unicast' &&
    address !== AZURE_METADATA &&
    (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
  );
}

/** True for an address of no public network, and a name that none has. */
function isPrivate(hostname: string): boolean {
  if (/(?:^|\.)(?:local|internal|localhost)\.?$/i.test(hostname)) return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !isPublic(address);
}

/** A host of the setting that names a port is free at that port alone. */
function isFree({ protocol, hostname, port }: URL, hosts: readonly string[]): boolean {
  if (!/^https?:$/.test(protocol)) return false;
  const usual = protocol === 'https:' ? '443' : '80';
  return hosts.includes(hostname) || hosts.includes(`${hostname}:${port || usual}`);
}

const refusedAddress = () => Object.assign(new Error('not a public address'), { code: 'PRIVATE_ADDRESS' });

/** Follows the norm Standard Webhooks 1.0. */
function signHeaders({ secrets, id, now, body }: Posting): Record<string, string | number> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    // Common firewalls refuse requests without one.
    'user-agent': 'shop-webhooks',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
