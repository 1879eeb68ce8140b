import { readConfig as readPageConfig } from '@parts-forge/contract/people/identity';
import { isPublicHttps } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import { type Finding, fails, note, readReason, type Visit, works } from './check.ts';
import { ask, findLocalAddress, isRunningHere, notRunning } from './running-shop.ts';

/** Checks that the public address uses https and leads to this shop. */
export async function checkOrigin({ config }: Visit): Promise<Finding[]> {
  const { origin, port } = config;
  const address = origin ?? findLocalAddress(config);
  const missing = origin === null ? [note('ORIGIN is not set: the shop is one for this machine.')] : [];
  if (address === null) return missing;
  let answer: Response;
  try {
    answer = await ask(`${address}/readyz`);
  } catch (error) {
    if (!(await isRunningHere(config))) return [...missing, note(notRunning(port))];
    return [
      ...missing,
      fails(`${address} does not answer, though the shop runs here: ${readReason(error)}.`),
    ];
  }
  // A proxy responds for a stopped shop.
  if (answer.status >= 500 && !(await isRunningHere(config))) return [...missing, note(notRunning(port))];
  const ready = judgeReadiness(address, answer.status);
  const isOpen = ready.verdict === 'works';
  return [
    ...missing,
    ready,
    ...(isOpen ? [await compareShops(address, config)] : []),
    ...(origin === null ? [] : await checkEncryption(config, origin, answer)),
  ];
}

function judgeReadiness(address: string, status: number): Finding {
  if (status === 200) return works(`${address} answers, and the shop there is ready.`);
  if (status >= 300 && status < 400) {
    return fails(`${address} leads on to another address (${status}): ORIGIN has to be the last one.`);
  }
  return fails(`${address} answers /readyz with ${status}: the shop or the proxy before it is not ready.`);
}

async function compareShops(address: string, config: Config): Promise<Finding> {
  const answer: unknown = await ask(`${address}/config`)
    .then((response) => response.json())
    .catch(() => null);
  const shop = readPageConfig.answer.safeParse(answer);
  if (!shop.success) return fails(`${address} is not this shop: its /config cannot be read.`);
  const { mode, publishableKey } = shop.data.payments;
  const isSame =
    config.stripe === null ? mode === 'sandbox' : publishableKey === config.stripe.publishableKey;
  return isSame
    ? works('The shop there runs with the payment settings of this command.')
    : fails(`The shop at ${address} runs with other payment settings than this command.`);
}

async function checkEncryption(config: Config, origin: string, answer: Response): Promise<Finding[]> {
  if (!isPublicHttps(config)) {
    const isSecret = new URL(origin).protocol === 'https:' || !config.stripe;
    return isSecret ? [] : [fails(`${origin} is not https: passwords and payments need it.`)];
  }
  const findings = [
    answer.headers.has('strict-transport-security')
      ? works('Browsers use https alone (HSTS).')
      : fails('The header Strict-Transport-Security is lost on the way: the proxy has to let it through.'),
    ...(await checkPlainHttp(origin)),
  ];
  if (config.trustedProxies > 0) return findings;
  const sentence =
    'TRUSTED_PROXIES is 0, and the shop speaks no https itself: all clients behind a proxy share one rate limit.';
  return [...findings, note(sentence)];
}

/** Plain http must redirect to https. */
async function checkPlainHttp(origin: string): Promise<Finding[]> {
  const { hostname, port } = new URL(origin);
  if (port !== '') return [];
  const answer = await ask(`http://${hostname}/`).catch(() => null);
  if (answer === null) return [note(`http://${hostname} does not answer; it should lead to ${origin}.`)];
  const isLed = answer.headers.get('location')?.startsWith(`${origin}/`) === true;
  return [
    isLed
      ? works(`http://${hostname} leads to https.`)
      : fails(`http://${hostname} does not lead to ${origin}.`),
  ];
}
