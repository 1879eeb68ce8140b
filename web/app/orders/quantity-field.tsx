import { isAvailable } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { Minus, Plus } from 'lucide-react';
import type { RefObject } from 'react';
import { FieldError } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useNoWheel } from '#app/ui/use-no-wheel.ts';
import { QuantityGauge } from './quantity-gauge.tsx';

interface QuantityFieldProps {
  /** As typed. */
  text: string;
  /** pieces; null for an empty field */
  quantity: number | null;
  product: Product;
  /** What is wrong with it; its line is always there, so that the form keeps its height. */
  problem: string | null;
  disabled: boolean;
  input: RefObject<HTMLInputElement | null>;
  onChange: (text: string) => void;
}

/** The quantity with its stepper (specification §2, "Purchase page"): steps of 1, typing is free, never below 0. */
export function QuantityField({
  text,
  quantity,
  product,
  problem,
  disabled,
  input,
  onChange,
}: QuantityFieldProps) {
  useNoWheel(input);
  const step = (by: 1 | -1) => onChange(String(Math.max(0, Math.trunc(quantity ?? 0) + by)));
  return (
    <div className="pf-field">
      <label htmlFor="quantity">Purchase Quantity</label>
      <div className="flex">
        <button
          type="button"
          className="btn btn-line h-12 w-14 rounded-r-none px-0"
          aria-label="Decrease quantity by 1"
          disabled={disabled}
          onClick={() => step(-1)}
        >
          <Icon of={Minus} />
        </button>
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
          aria-invalid={problem !== null}
          onChange={(event) => onChange(event.target.value)}
        />
        <button
          type="button"
          className="btn btn-line h-12 w-14 rounded-l-none px-0"
          aria-label="Increase quantity by 1"
          disabled={disabled}
          onClick={() => step(1)}
        >
          <Icon of={Plus} />
        </button>
      </div>
      <div className="min-h-5" aria-live="polite">
        {problem && <FieldError id="quantity-message">{problem}</FieldError>}
      </div>
      {isAvailable(product) && (
        <QuantityGauge quantity={quantity} product={product} rangeId="quantity-range" />
      )}
    </div>
  );
}
