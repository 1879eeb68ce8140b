import { isAvailable } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { type LucideIcon, Minus, Plus } from 'lucide-react';
import type { RefObject } from 'react';
import { FieldError } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useNoWheel } from '#app/ui/use-no-wheel.ts';
import { QuantityGauge } from './quantity-gauge.tsx';
import type { OrderQuantity } from './use-order-quantity.ts';

interface QuantityFieldProps {
  quantity: OrderQuantity;
  product: Product;
  disabled: boolean;
  input: RefObject<HTMLInputElement | null>;
}

/** The quantity with its stepper (specification §2, "Purchase page"): steps of 1, typing is free, never below 0. */
export function QuantityField({ quantity, product, disabled, input }: QuantityFieldProps) {
  const { text, setText, pieces, message } = quantity;
  useNoWheel(input);
  const step = (by: 1 | -1) => setText(String(Math.max(0, Math.trunc(pieces ?? 0) + by)));
  return (
    <div className="pf-field">
      <label htmlFor="quantity">Purchase Quantity</label>
      <div className="flex">
        <StepButton
          icon={Minus}
          label="Decrease quantity by 1"
          className="rounded-r-none"
          disabled={disabled}
          onClick={() => step(-1)}
        />
        <input
          ref={input}
          className="input num -mx-px min-w-0 flex-1 !rounded-none text-center text-lead font-semibold [appearance:textfield] focus:z-10 [&::-webkit-inner-spin-button]:appearance-none"
          id="quantity"
          name="quantity"
          type="number"
          inputMode="numeric"
          min={0}
          step={1}
          required
          autoComplete="off"
          value={text}
          disabled={disabled}
          aria-describedby="quantity-message quantity-range"
          aria-invalid={message !== null}
          onChange={(event) => setText(event.target.value)}
        />
        <StepButton
          icon={Plus}
          label="Increase quantity by 1"
          className="rounded-l-none"
          disabled={disabled}
          onClick={() => step(1)}
        />
      </div>
      {/* The line is always there, so that the form keeps its height. */}
      <div className="min-h-5" aria-live="polite">
        {message && <FieldError id="quantity-message">{message}</FieldError>}
      </div>
      {isAvailable(product) && <QuantityGauge pieces={pieces} product={product} rangeId="quantity-range" />}
    </div>
  );
}

interface StepButtonProps {
  icon: LucideIcon;
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
