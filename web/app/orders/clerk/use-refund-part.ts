import { readPieces, readPrice, readTyped } from '@parts-forge/contract/files/number-text';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import { formatCents, formatPieces, toAmount, toCents } from '@parts-forge/contract/money/money';
import { explainLeft, refundFields } from '@parts-forge/contract/money/payments';
import { piecesCents } from '@parts-forge/contract/money/pricing';
import { canMove } from '@parts-forge/contract/orders/order-states';
import { countPiecesLeft, countRefundable, type Order } from '@parts-forge/contract/orders/orders';
import { useState } from 'react';

type Field = keyof typeof refundFields;

export type RefundPart = ReturnType<typeof useRefundPart>;

const readers = { quantity: readTyped(readPieces), amount: readTyped(readPrice) };

/**
 * Both fields of the dialog; each follows the other, and everything left is the default. Only typed pieces go
 * back: an amount of two pieces' price may be goodwill. `amountCents` is null while the input is invalid,
 * `pieces` 0 for an amount; `body` has what was typed, as the rest may have changed.
 */
export function useRefundPart(order: Order) {
  const [typed, setTyped] = useState<{ field: Field; text: string } | null>(null);
  const rest = {
    piecesLeft: countPiecesLeft(order),
    leftCents: toCents(countRefundable(order)),
    priceCents: order.price * shopCurrency().centsInUnit,
    countCents: (pieces: number) =>
      piecesCents(toCents(order.totalPrice), order.quantity, order.refund?.quantity ?? 0, pieces),
  };
  const read: Read = typed ? readPart(typed.field, typed.text, rest) : { cents: rest.leftCents };
  const amountCents = read.cents ?? null;
  const whole = read.pieces ?? (amountCents === null ? null : countWhole(amountCents, rest));
  const closes = order.closed === undefined && canMove(order.status, 'refund');
  const isAll = typed?.field !== 'quantity' || closes || whole === rest.piecesLeft;
  const isRest = amountCents === rest.leftCents && isAll;
  const pieces = isRest ? rest.piecesLeft : typed?.field === 'quantity' ? (whole ?? 0) : 0;
  const shown = {
    quantity: whole === pieces ? formatPieces(whole) : '',
    amount: amountCents === null ? '' : formatCents(amountCents).replace(shopCurrency().marks, ''),
  };
  return {
    texts: typed ? { ...shown, [typed.field]: typed.text } : shown,
    error: read.error,
    wrongField: read.error === undefined ? null : (typed?.field ?? null),
    amountCents,
    pieces,
    isRest,
    body:
      typed &&
      (typed.field === 'quantity' ? { quantity: whole ?? 0 } : { amount: toAmount(amountCents ?? 0) }),
    type: (field: Field, text: string) => setTyped({ field, text }),
    takeRest: () => setTyped(null),
  };
}

interface Rest extends Readonly<Record<'piecesLeft' | 'leftCents' | 'priceCents', number>> {
  countCents: (pieces: number) => number;
}

/** `pieces` if they were typed. */
interface Read {
  cents?: number;
  pieces?: number;
  error?: string;
}

function readPart(field: Field, text: string, rest: Rest): Read {
  const parsed = refundFields[field].safeParse(readers[field](text));
  if (!parsed.success) return { error: parsed.error.issues[0]?.message ?? '' };
  const pieces = field === 'quantity' ? parsed.data : null;
  const cents = pieces === null ? toCents(parsed.data) : rest.countCents(pieces);
  const isTooMuch = cents > rest.leftCents || (pieces ?? 0) > rest.piecesLeft;
  return isTooMuch ? { error: explainLeft(rest) } : { cents, ...(pieces !== null && { pieces }) };
}

/** An amount of whole pieces that are left; null for another. */
function countWhole(cents: number, { priceCents, piecesLeft, countCents }: Rest): number | null {
  const pieces = Math.round(cents / priceCents);
  return pieces > 0 && pieces <= piecesLeft && countCents(pieces) === cents ? pieces : null;
}
