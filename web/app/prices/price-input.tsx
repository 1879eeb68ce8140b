import { readPrice, readTyped } from '@parts-forge/contract/files/number-text';
import { priceField } from '@parts-forge/contract/products/product-fields';
import { type ReactNode, useId } from 'react';
import { CurrencySign } from '#app/ui/currency-sign.tsx';
import { FieldError } from '#app/ui/field.tsx';

const readTypedPrice = readTyped(readPrice);

/** Neither of an empty text. */
export function readPriceText(text = ''): { price?: number | undefined; refusal?: string | undefined } {
  if (text.trim() === '') return {};
  const { data, error } = priceField.safeParse(readTypedPrice(text));
  return { price: data, refusal: error?.issues[0]?.message };
}

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
  const { refusal } = readPriceText(text);
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
          aria-invalid={refusal ? true : undefined}
          aria-describedby={id}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <span id={id} className="text-sm text-muted empty:hidden" aria-live="polite">
        {refusal ? <FieldError>{refusal}</FieldError> : note}
      </span>
    </span>
  );
}
