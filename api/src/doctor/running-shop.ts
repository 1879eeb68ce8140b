import type { Config } from '#src/platform/core/config.ts';
import { QUESTION_MS } from './check.ts';

/** @returns null when the system chooses the port */
export function findLocalAddress({ host, port }: Pick<Config, 'host' | 'port'>): string | null {
  if (port === 0) return null;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Follows no redirects. @throws the error of `fetch`, also after a timeout */
export const ask = (address: string, options: RequestInit = {}): Promise<Response> =>
  fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(QUESTION_MS), ...options });

export async function isRunningHere(config: Pick<Config, 'host' | 'port'>): Promise<boolean> {
  const address = findLocalAddress(config);
  if (address === null) return false;
  const response = await ask(`${address}/healthz`).catch(() => null);
  return response?.status === 200;
}

export const notRunning = (port: number) =>
  `The shop does not run on this machine's port ${port}: start it, and repeat this command to have this checked.`;
