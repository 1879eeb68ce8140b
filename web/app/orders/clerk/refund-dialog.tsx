import { MAX_REFUND_REASON } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
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
import { OfflineError } from '#app/http/errors.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { OrderInBrief } from '#app/orders/order-in-brief.tsx';
import { useRefundOrder } from '#app/orders/queries.ts';
import { isPending } from '#app/orders/states/order-conditions.ts';
import { CurrencySign } from '#app/ui/currency-sign.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Fact } from '#app/ui/fact.tsx';
import { Field } from '#app/ui/field.tsx';
import { formatGiven } from '#app/ui/signed.ts';
import { toast } from '#app/ui/toast.tsx';
import { useQuestion } from '#app/ui/use-question.ts';
import { type RefundPart, useRefundPart } from './use-refund-part.ts';

/** @param onRefused called when the order can no longer be refunded */
export const useRefundQuestion = (onRefused: (order: Order, error: Error) => void) =>
  useQuestion((order: Order, close) => <RefundDialog order={order} onRefused={onRefused} onClose={close} />);

interface RefundDialogProps {
  order: Order;
  onRefused: (order: Order, error: Error) => void;
  onClose: () => void;
}

/** Asks how much is refunded, and whether its pieces return to stock. */
function RefundDialog({ order, onRefused, onClose }: RefundDialogProps) {
  const refund = useRefundOrder(order._id, useSignedInUser().email, order.refund?.amount ?? 0);
  // Unshipped pieces are in the warehouse; shipped ones may never return.
  const isInHouse = isPending(order);
  const [returnStock, setReturnStock] = useState(isInHouse);
  const [reason, setReason] = useState('');
  const part = useRefundPart(order);
  const { amountCents, pieces, isRest, body } = part;
  const confirm = () =>
    refund.mutate(
      { ...body, returnStock: returnStock && pieces > 0, reason: reason.trim() },
      {
        onSuccess: ({ refund: { amount } }) => {
          // Money of a shared payment may leave less than the order shows.
          const isWhole = amount === countRefundable(order);
          toast('success', isWhole ? messages.orderRefunded : `${formatAmount(amount)} refunded`);
          onClose();
        },
        onError: (error) => {
          // The answer was lost: what was typed stays, to be sent again.
          if (error instanceof OfflineError) return;
          onRefused(order, error);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Refund of order ${order.number}`}
      safe="Keep as it is"
      confirm={amountCents === null ? 'Refund' : `Refund ${formatCents(amountCents)}`}
      disabled={amountCents === null}
      busy={refund.isPending}
      busyLabel="Refunding…"
      failure={refund.error}
      onClose={onClose}
      onConfirm={confirm}
    >
      <OrderInBrief order={order} isForAdmin />
      <div className="grid gap-4 text-base-content">
        <FormError
          error={refund.error}
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
