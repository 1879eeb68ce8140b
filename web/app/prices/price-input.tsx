import { readPrice, readTyped } from '@parts-forge/contract/files/number-text';
import { priceField } from '@parts-forge/contract/products/product-fields';
import { type ReactNode, useId } from 'react';
import { CurrencySign } from '#app/ui/currency-sign.tsx';
import { FieldError } from '#app/ui/field.tsx';

const readTypedPrice = readTyped(readPrice);

/** Undefined for an empty or refused text. */
export const readPriceText = (text: string): number | undefined =>
  priceField.safeParse(readTypedPrice(text)).data;

export const refusePriceText = (text: string): string | undefined =>
  text.trim() === '' ? undefined : priceField.safeParse(readTypedPrice(text)).error?.issues[0]?.message;

interface PriceInputProps {
  label: string;
  text: string;
  /** What an empty field stands for. */
  placeholder: string;
  /** Below the field. */
  note?: ReactNode;
  onChange: (text: string) => void;
}

/** A price in a row. */
export function PriceInput({ label, text, placeholder, note, onChange }: PriceInputProps) {
  const id = useId();
  const error = refusePriceText(text);
  return (
    <span className="grid justify-items-end gap-1">
      <label className="input">
        <CurrencySign />
        <input
          inputMode="decimal"
          autoComplete="off"
          className="num text-right"
          value={text}
          placeholder={placeholder}
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={id}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <span id={id} className="text-sm text-muted empty:hidden" aria-live="polite">
        {error ? <FieldError>{error}</FieldError> : note}
      </span>
    </span>
  );
}
