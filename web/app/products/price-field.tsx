import { MIN_PRICE } from '@parts-forge/contract/bounds';
import { toAmount } from '@parts-forge/contract/money';
import type { ComponentProps } from 'react';
import { Field } from '#app/ui/field.tsx';

export function PriceField(field: Omit<ComponentProps<typeof Field>, 'label'>) {
  return (
    <Field
      label="Price"
      type="number"
      inputMode="decimal"
      required
      {...priceBounds}
      lead={<DollarSign />}
      hint={`At least ${MIN_PRICE}`}
      {...field}
    />
  );
}

export const priceBounds = { min: MIN_PRICE, step: toAmount(1) };

export function DollarSign() {
  return (
    <span className="text-muted" aria-hidden="true">
      $
    </span>
  );
}
