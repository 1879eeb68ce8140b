import { createHmac } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { notAnAddress } from '@parts-forge/contract/webhooks';
import ipaddr from 'ipaddr.js';
import { invalidField } from '#src/platform/core/problem.ts';

/** Headers included; the claim of a webhook must last longer. */
const ATTEMPT_MS = 10_000;
const MAX_RETRY_AFTER_MS = 3_600_000;

export interface Posting {
  url: string;
  /** One or two signatures. */
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
  /** 0 when none came. */
  status: number;
  /** Status, or a code such as `ECONNREFUSED`. */
  answer: string;
  ms: number;
  retryAfterMs: number;
}

/**
 * Names are judged by `postEvent`, as they may resolve differently then.
 * @returns the address as it is requested
 * @throws Problem `invalid`
 */
export function requirePublicAddress(given: string, hosts: readonly string[]): string {
  const url = URL.parse(given);
  if (!url) throw invalidField('url', notAnAddress);
  const { href, protocol, hostname } = url;
  if (hosts.includes(hostname)) return href;
  if (protocol !== 'https:') throw invalidField('url', 'Must begin with https://');
  if (isPrivate(hostname)) throw invalidField('url', 'Must not be an address of a private network');
  return href;
}

/** One attempt, which never fails. The answer's body is not read, and redirects are not followed. */
export async function postEvent(posting: Posting): Promise<Answer> {
  const { signal, timeoutMs = ATTEMPT_MS } = posting;
  const begun = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const { status, answer, retryAfter } = await request(posting, ended).catch(
    (error: NodeJS.ErrnoException) => ({
      status: 0,
      answer: timeout.aborted ? 'TIMEOUT' : (error.code ?? 'FAILED'),
      retryAfter: '',
    }),
  );
  const ms = Math.round(performance.now() - begun);
  return { status, answer, ms, retryAfterMs: Math.min(Number(retryAfter) * 1000 || 0, MAX_RETRY_AFTER_MS) };
}

async function request(posting: Posting, signal: AbortSignal) {
  const { body, hosts, resolve = resolveHost } = posting;
  const url = new URL(posting.url);
  const isFree = hosts.includes(url.hostname);
  // Node looks up no literal address.
  if (!isFree && isPrivate(url.hostname)) throw refusedAddress();
  const send = url.protocol === 'https:' ? https.request : http.request;
  return new Promise<{ status: number; answer: string; retryAfter: string }>((answered, failed) => {
    const outgoing = send({
      ...urlToHttpOptions(url),
      method: 'POST',
      headers: signHeaders(posting),
      // Without a proxy of the environment, and without connections that others opened.
      agent: false,
      signal,
      ...(!isFree && { lookup: resolvePublic(resolve) }),
    });
    outgoing.on('error', failed);
    let interim = 0;
    outgoing.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM) outgoing.destroy(new Error('too many interim answers'));
    });
    outgoing.on('close', () => failed(new Error('closed without an answer')));
    outgoing.once('response', ({ statusCode: status = 0, headers }) => {
      answered({ status, answer: String(status), retryAfter: headers['retry-after'] ?? '' });
      outgoing.destroy();
    });
    outgoing.end(body);
  });
}

/** Judges the address that the socket then connects to. */
const resolvePublic =
  (resolve: typeof resolveHost): LookupFunction =>
  (hostname, { all }, callback) => {
    resolve(hostname).then(
      (found) => {
        const allowed = found.filter(isPublic).map((address) => ({ address, family: isIP(address) }));
        const [first] = allowed;
        if (!first) callback(refusedAddress(), []);
        else if (all) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };

/** Of answers before the answer, such as 103: an endless row of them would keep the process busy. */
const MAX_INTERIM = 10;

const resolver = new Resolver({ timeout: 3_000, tries: 2 });

/** Not by `lookup`: a name server that hangs would take the threads that sign-ins need. */
async function resolveHost(hostname: string): Promise<string[]> {
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

/** Of an address itself, or a name that no public network has; other names are not resolved. */
function isPrivate(hostname: string): boolean {
  if (/(?:^|\.)(?:local|internal)\.?$/i.test(hostname)) return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !isPublic(address);
}

const refusedAddress = () => Object.assign(new Error('not a public address'), { code: 'PRIVATE_ADDRESS' });

/** Standard Webhooks 1.0. */
function signHeaders({ secrets, id, now, body }: Posting): Record<string, string | number> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
