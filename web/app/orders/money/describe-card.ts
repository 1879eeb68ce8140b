import type { readOrderPayment } from '@parts-forge/contract/money/payments';
import type * as z from 'zod/mini';

/** `Visa ending 4242`; the provider says `visa`. */
export const describeCard = ({
  kind,
  last4,
}: NonNullable<z.output<typeof readOrderPayment.answer>['card']>): string =>
  `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ending ${last4}`;
