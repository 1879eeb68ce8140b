import { formatPieces } from '@parts-forge/contract/money/money';
import { stepQuantity } from '@parts-forge/contract/orders/quantity';
import { isAvailable } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { type IconNode, Minus, Plus } from 'lucide';
import type { RefObject } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import { QuantityGauge } from './quantity-gauge.tsx';
import { QuantityNotes } from './quantity-notes.tsx';
import type { OrderQuantity } from './use-order-quantity.ts';

interface QuantityFieldProps {
  label: string;
  quantity: OrderQuantity;
  product: Product;
  disabled: boolean;
  input: RefObject<HTMLInputElement | null>;
  /** In narrow windows the range replaces the gauge. */
  isCompact?: boolean;
}

/** The stepper moves by the order step, never below 0; typing is free (specification §2, "Purchase page"). */
export function QuantityField({ label, isCompact = false, ...stepper }: QuantityFieldProps) {
  const { quantity, product, input } = stepper;
  const { orderStep } = product;
  return (
    <div className="pf-field">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor="quantity" className="text-sm font-semibold">
          {label}
        </label>
        <span className="num text-micro text-muted">
          {isCompact && isAvailable(product) && (
            <span className="lg:hidden">{`${formatPieces(product.minimumOrder)} to ${formatPieces(product.quantity)} `}</span>
          )}
          {orderStep > 1 && <span id="quantity-step">in steps of {formatPieces(orderStep)}</span>}
        </span>
      </div>
      <Stepper {...stepper} />
      {/* These lines are always there, so the form keeps its height. */}
      <div id="quantity-message" className="min-h-10" aria-live="polite">
        <QuantityNotes quantity={quantity} product={product} input={input} />
      </div>
      {isAvailable(product) && (
        <div className={isCompact ? 'max-lg:hidden' : undefined}>
          <QuantityGauge pieces={quantity.pieces} product={product} rangeId="quantity-range" />
        </div>
      )}
    </div>
  );
}

function Stepper({ quantity, product, disabled, input }: Omit<QuantityFieldProps, 'label' | 'isCompact'>) {
  const { text, setText, pieces, refusal } = quantity;
  const { orderStep } = product;
  const describedBy = [
    'quantity-message',
    orderStep > 1 && 'quantity-step',
    isAvailable(product) && 'quantity-range',
  ];
  const step = (by: 1 | -1) => setText(String(stepQuantity(pieces, by, orderStep)));
  return (
    <div className="flex">
      <StepButton
        icon={Minus}
        label={`Decrease quantity by ${orderStep}`}
        className="rounded-r-none"
        disabled={disabled}
        onClick={() => step(-1)}
      />
      <input
        ref={input}
        className="input num -mx-px min-w-0 flex-1 !rounded-none text-center text-lead font-semibold focus:z-10"
        id="quantity"
        name="quantity"
        inputMode="numeric"
        min={0}
        required
        autoComplete="off"
        value={text}
        disabled={disabled}
        aria-describedby={describedBy.filter(Boolean).join(' ')}
        aria-invalid={refusal !== null}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          step(event.key === 'ArrowUp' ? 1 : -1);
        }}
      />
      <StepButton
        icon={Plus}
        label={`Increase quantity by ${orderStep}`}
        className="rounded-l-none"
        disabled={disabled}
        onClick={() => step(1)}
      />
    </div>
  );
}

interface StepButtonProps {
  icon: IconNode;
  label: string;
  className: string;
  disabled: boolean;
  onClick: () => void;
}

function StepButton({ icon, label, className, disabled, onClick }: StepButtonProps) {
  return (
    <button
      type="button"
      className={`btn btn-line h-12 w-14 px-0 ${className}`}
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon of={icon} />
    </button>
  );
}
