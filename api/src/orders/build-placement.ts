import { MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import { toCents } from '@parts-forge/contract/money/money';
import { readDay } from '@parts-forge/contract/text/days';
import { idPattern } from '@parts-forge/contract/text/text';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { IdempotencyKey, OrderPlacement } from './take-stock.ts';

/** `totalPrice` is the total the customer saw, in the shop's currency. */
export interface OrderLine {
  productId: string;
  quantity: number;
  totalPrice: number;
}

interface Delivery {
  address: string;
  phone: string;
  reference?: string | undefined;
}

interface Bond {
  key: IdempotencyKey | null;
  batch?: string;
  hasMail?: boolean;
}

export function buildPlacement(
  { config, clock, ids }: Pick<Platform, 'config' | 'clock' | 'ids'>,
  { userId, name, email, tokenHash, key: apiKey }: Customer,
  { address, phone, reference }: Delivery,
  { productId, quantity, totalPrice }: OrderLine,
  { key, batch, hasMail = true }: Bond,
): OrderPlacement | null {
  const seenCents = toCents(totalPrice);
  // The bounds fit PostgreSQL's integers.
  if (quantity < 1 || quantity > MAX_STOCK || !Number.isSafeInteger(seenCents)) return null;
  if (!idPattern.test(productId)) return null;
  const now = clock.now();
  return {
    id: ids.next(),
    userId,
    tokenHash,
    name,
    email,
    address,
    phone,
    productId,
    quantity,
    seenCents,
    reference: reference || null,
    batch: batch ?? null,
    keyId: apiKey?.id ?? null,
    heldUntil: config.holdMs === null ? null : new Date(now.getTime() + config.holdMs),
    mailId: hasMail ? ids.next() : null,
    now,
    today: readDay(now, config.timeZone),
    key,
  };
}
