import { MIN_PRICE } from '@parts-forge/contract/calls/bounds';
import type { ComponentProps } from 'react';
import { Field } from '#app/ui/field.tsx';

export function PriceField(field: Omit<ComponentProps<typeof Field>, 'label'>) {
  return (
    <Field
      label="Price"
      inputMode="decimal"
      required
      min={MIN_PRICE}
      lead={<DollarSign />}
      hint={`At least ${MIN_PRICE}`}
      {...field}
    />
  );
}

export function DollarSign() {
  return (
    <span className="text-muted" aria-hidden="true">
      $
    </span>
  );
}
