import type Stripe from 'stripe';
import { emitEvent } from './emit-event.ts';
import { listObjects, putObject } from './object-store.ts';
import { lockPaidCharge } from './payment-intents.ts';
import type { RequestContext } from './request-context.ts';
import { buildDispute, moveMoney } from './stripe-objects.ts';

const closedStatuses: readonly string[] = ['won', 'lost', 'warning_closed', 'prevented'];

/**
 * Any status may follow any other. The money moves as Stripe moves it, unless `moved` is false.
 *
 * The charge stays `disputed` even after a won one: Stripe does not document whether it clears the flag.
 * @throws ApiError for an unpaid payment
 */
export async function disputePayment(
  context: RequestContext,
  { intent, status, moved = true }: { intent: string; status: string; moved?: boolean | undefined },
): Promise<Stripe.Dispute> {
  const charge = await lockPaidCharge(context, intent, 'charge to dispute');
  const [known] = await listObjects(context.tx, 'dispute', { paymentIntent: intent });
  const changed = known ? { ...known, status } : buildDispute(charge, status, context.now);
  const dispute = moved ? moveMoney(changed, context.now) : changed;
  await putObject(context.tx, 'dispute', dispute, context.now);
  await putObject(context.tx, 'charge', { ...charge, disputed: true }, context.now);
  if (!known) await emitEvent(context, 'charge.dispute.created', dispute);
  if (closedStatuses.includes(status)) await emitEvent(context, 'charge.dispute.closed', dispute);
  else if (known) await emitEvent(context, 'charge.dispute.updated', dispute);
  return dispute;
}
