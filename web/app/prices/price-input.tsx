import { readPrice, readTyped } from '@parts-forge/contract/files/number-text';
import { priceField } from '@parts-forge/contract/products/product-fields';
import { type ReactNode, useId } from 'react';
import { CurrencySign } from '#app/ui/currency-sign.tsx';
import { FieldError } from '#app/ui/field.tsx';

const readTypedPrice = readTyped(readPrice);

/** An empty text has neither a price nor a refusal. */
export function readPriceText(text = ''): { price?: number | undefined; refusal?: string | undefined } {
  if (text.trim() === '') return {};
  const { data, error } = priceField.safeParse(readTypedPrice(text));
  return { price: data, refusal: error?.issues[0]?.message };
}

/** The first refusal with its part number; that line may not be shown. */
export function findRefusal<Line extends { product: { number: string } }>(
  lines: readonly Line[],
  textOf: (line: Line) => string,
): string | null {
  for (const line of lines) {
    const { refusal } = readPriceText(textOf(line));
    if (refusal) return `${line.product.number}: ${refusal}`;
  }
  return null;
}

/** Below a form of prices. */
export const FormRefusal = ({ refusal }: { refusal: string | null }) =>
  refusal !== null && (
    <div className="w-full">
      <FieldError>{refusal}</FieldError>
    </div>
  );

interface PriceInputProps {
  label: string;
  text: string;
  /** Stands in an empty field. */
  placeholder: string;
  /** Below the field. */
  note?: ReactNode;
  onChange: (text: string) => void;
}

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
