import { MIN_PRICE } from '@parts-forge/contract/calls/bounds';
import type { ComponentProps } from 'react';
import { CurrencySign } from '#app/ui/currency-sign.tsx';
import { Field } from '#app/ui/field.tsx';

export function PriceField(field: Omit<ComponentProps<typeof Field>, 'label'>) {
  return (
    <Field
      label="Price"
      inputMode="decimal"
      required
      min={MIN_PRICE}
      lead={<CurrencySign />}
      hint={`At least ${MIN_PRICE}`}
      {...field}
    />
  );
}
