import { readPrice, readTyped } from '@parts-forge/contract/files/number-text';
import { hasWholeCents, writeAmount } from '@parts-forge/contract/money/money';
import { type ChangeEvent, useState } from 'react';
import { useController } from 'react-hook-form';
import { deferBlur } from '#app/forms/defer-blur.ts';
import type { EditForm } from './use-edit-part.ts';

const readTypedPrice = readTyped(readPrice);

/** Shows the typed text, then the price with the currency's decimals. */
export function usePriceInput(form: EditForm, name: 'price' | `priceBreaks.${number}.price`) {
  const { field } = useController({ control: form.control, name });
  const [typed, setTyped] = useState<string | null>(null);
  const onBlur = () => {
    // An invalid price stays as typed.
    if (hasWholeCents(field.value)) setTyped(null);
    field.onBlur();
  };
  return {
    name: field.name,
    ...deferBlur({ ref: field.ref, onBlur }),
    value: typed !== null && Object.is(readTypedPrice(typed), field.value) ? typed : formatPrice(field.value),
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      setTyped(target.value);
      field.onChange(readTypedPrice(target.value));
    },
  };
}

function formatPrice(price: number): string {
  if (Number.isNaN(price)) return '';
  return hasWholeCents(price) ? writeAmount(price) : String(price);
}
