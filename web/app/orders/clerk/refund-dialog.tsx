import { MAX_REFUND_REASON } from '@parts-forge/contract/calls/bounds';
import {
  formatAmount,
  formatCents,
  formatCount,
  formatPieces,
  toAmount,
  toCents,
} from '@parts-forge/contract/money/money';
import { countRefundable, type Order } from '@parts-forge/contract/orders/orders';
import { type ChangeEvent, useState } from 'react';
import { FormError } from '#app/forms/form-error.tsx';
import type { RefundAnswer } from '#app/orders/queries.ts';
import { isPending } from '#app/orders/states/order-conditions.ts';
import { ProductSummary } from '#app/products/product-cell.tsx';
import { CurrencySign } from '#app/ui/currency-sign.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Fact } from '#app/ui/fact.tsx';
import { Field } from '#app/ui/field.tsx';
import { formatGiven } from '#app/ui/signed.ts';
import { type RefundPart, useRefundPart } from './use-refund-part.ts';

interface RefundDialogProps {
  order: Order;
  busy: boolean;
  /** The answer was lost. */
  error?: Error | null;
  onClose: () => void;
  onConfirm: (answer: RefundAnswer) => void;
}

/** Asks how much is refunded, and whether its pieces return to stock. */
export function RefundDialog({ order, busy, error, onClose, onConfirm }: RefundDialogProps) {
  // Unshipped pieces are in the warehouse; shipped ones may never return.
  const isInHouse = isPending(order);
  const [returnStock, setReturnStock] = useState(isInHouse);
  const [reason, setReason] = useState('');
  const part = useRefundPart(order);
  const { amountCents, pieces, isRest, body } = part;
  return (
    <ConfirmDialog
      title={`Refund of order ${order.number}`}
      safe="Keep as it is"
      confirm={amountCents === null ? 'Refund' : `Refund ${formatCents(amountCents)}`}
      disabled={amountCents === null}
      busy={busy}
      busyLabel="Refunding…"
      failure={error}
      onClose={onClose}
      onConfirm={() => onConfirm({ ...body, returnStock: returnStock && pieces > 0, reason: reason.trim() })}
    >
      <ProductSummary
        image={order.image}
        name={order.productName}
        figures={
          <>
            {formatPieces(order.quantity)} pieces, {formatAmount(order.totalPrice)}, <bdi>{order.name}</bdi>
          </>
        }
      />
      <div className="grid gap-4 text-base-content">
        <FormError
          error={error}
          advice="The refund may have been made: send it again as it is, and it is made once."
        />
        <PartFields part={part} order={order} />
        <Balance order={order} amountCents={amountCents} />
        {isRest && isInHouse && (
          <p className="text-sm text-muted">The order is closed and cannot be brought back.</p>
        )}
        <Field
          label="Reason (optional)"
          hint="Kept with the refund."
          maxLength={MAX_REFUND_REASON}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {pieces > 0 && <ReturnStock pieces={pieces} checked={returnStock} onChange={setReturnStock} />}
      </div>
    </ConfirmDialog>
  );
}

function PartFields({ part, order }: { part: RefundPart; order: Order }) {
  const { texts, wrongField, error, pieces, amountCents, type, takeRest } = part;
  const price = `${formatPieces(pieces)} × ${formatAmount(order.price)}`;
  const getProps = (field: keyof typeof texts) => ({
    className: 'num',
    autoComplete: 'off',
    error: wrongField === field ? error : undefined,
    value: texts[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => type(field, event.target.value),
  });
  return (
    <fieldset>
      <legend className="sr-only">How much</legend>
      <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] gap-3">
        <Field label="Pieces" inputMode="numeric" data-focus-first {...getProps('quantity')} />
        <span className="mt-10 text-muted">or</span>
        <Field label="Amount" inputMode="decimal" lead={<CurrencySign />} {...getProps('amount')} />
      </div>
      <p className="num mt-2 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <span>{pieces > 0 ? price : amountCents !== null && 'Money only, no pieces'}</span>
        <button type="button" className="pf-link pf-fix font-medium text-base-content" onClick={takeRest}>
          Everything left, {formatAmount(countRefundable(order))}
        </button>
      </p>
    </fieldset>
  );
}

interface ReturnStockProps {
  pieces: number;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

const ReturnStock = ({ pieces, checked, onChange }: ReturnStockProps) => (
  <label className="flex min-h-11 cursor-pointer items-center gap-3 font-medium">
    <input
      type="checkbox"
      className="checkbox checkbox-neutral size-6 rounded-[3px]"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
    Put {formatCount(pieces, 'piece')} back in stock
  </label>
);

function Balance({ order, amountCents }: { order: Order; amountCents: number | null }) {
  const leftCents = toCents(countRefundable(order));
  const givenCents = toCents(order.totalPrice) - leftCents;
  const rows: [name: string, value: string][] = [
    ['Paid', formatAmount(order.totalPrice)],
    ...(givenCents > 0 ? [['Refunded before', formatGiven(toAmount(givenCents))] as [string, string]] : []),
    ['Stays paid after this', formatCents(leftCents - (amountCents ?? 0))],
  ];
  return (
    <dl className="pf-spec num">
      {rows.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}
