import { createHmac } from 'node:crypto';
import { toUnixSeconds } from './stripe-objects.ts';

/** The `Stripe-Signature`: a timestamp, and the HMAC of timestamp and body. */
export function signEvent(body: string, secret: string, now: Date): string {
  const t = toUnixSeconds(now);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}
