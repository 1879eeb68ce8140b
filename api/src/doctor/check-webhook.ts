import { randomUUID } from 'node:crypto';
import { type ProblemCode, problemCode } from '@parts-forge/contract/calls/problems';
import { receivePaymentEvent } from '@parts-forge/contract/money/payments';
import { loadSdk } from '#src/payments/provider/stripe.ts';
import { type Finding, fails, note, readReason, type Visit, works } from './check.ts';
import { ask, findLocalAddress, isRunningHere, notRunning } from './running-shop.ts';

const SETTING = 'STRIPE_WEBHOOK_SECRET';

/**
 * Sends a signed event of an unknown kind, which the shop only records. Only a real event proves that
 * Stripe's secret is the same.
 */
export async function checkWebhook({ config }: Visit): Promise<Finding[]> {
  const { stripe: settings, origin, port } = config;
  const address = origin ?? findLocalAddress(config);
  if (!settings || address === null) return [];
  if (!(await isRunningHere(config))) return [note(notRunning(port))];
  const { stripe } = await loadSdk(settings);
  const url = `${address}${receivePaymentEvent.path}`;
  return Promise.all(
    settings.webhookSecrets.map(async (secret, index) => {
      const payload = writeEvent();
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret });
      const which = settings.webhookSecrets.length > 1 ? `Secret ${index + 1} of ${SETTING}` : SETTING;
      try {
        return judgeAnswer(which, address, await send(url, payload, signature));
      } catch (error) {
        return fails(`No event reaches the shop at ${address}: ${readReason(error)}.`);
      }
    }),
  );
}

const writeEvent = () =>
  JSON.stringify({
    id: `evt_doctor_${randomUUID()}`,
    object: 'event',
    type: 'parts_forge.doctor',
    created: Math.floor(Date.now() / 1000),
    data: { object: { object: 'doctor' } },
  });

interface Answer {
  status: number;
  /** Null for a success and for foreign responses. */
  code: ProblemCode | null;
}

async function send(address: string, payload: string, signature: string): Promise<Answer> {
  const response = await ask(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  });
  const body: unknown = await response.json().catch(() => null);
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : null;
  return { status: response.status, code: problemCode(type) };
}

function judgeAnswer(which: string, address: string, { status, code }: Answer): Finding {
  if (status === 200) return works(`${which}: a signed event reached the shop at ${address}, which took it.`);
  if (code === 'bad-signature') {
    return fails(
      `${which}: the shop at ${address} runs with another secret, or this machine's clock is wrong.`,
    );
  }
  return fails(`${which}: a signed event to ${address} was answered with ${status}.`);
}
