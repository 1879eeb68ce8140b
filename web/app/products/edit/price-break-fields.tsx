import { MAX_PRICE_BREAKS, MIN_PRICE } from '@parts-forge/contract/calls/bounds';
import { noNumber, readPieces, readTyped } from '@parts-forge/contract/files/number-text';
import { Plus, X } from 'lucide';
import { useId } from 'react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { Button } from '#app/ui/button.tsx';
import { CurrencySign } from '#app/ui/currency-sign.tsx';
import { FieldError } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import type { EditForm } from './use-edit-part.ts';
import { usePriceInput } from './use-price-input.ts';

const columns =
  'grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_5.5rem_2.5rem] items-center gap-x-4 max-sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_2.5rem] max-sm:gap-x-2';

export function PriceBreakFields({ form }: { form: EditForm }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'priceBreaks' });
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">Price breaks</legend>
      {fields.length > 0 && (
        <div className="border-y border-base-300">
          <div className={`${columns} py-2 text-micro text-muted`} aria-hidden="true">
            <span>From pieces</span>
            <span>Price each</span>
            <span className="text-right max-sm:hidden">Less</span>
          </div>
          {fields.map(({ id }, index) => (
            <PriceBreakRow key={id} form={form} index={index} onRemove={() => remove(index)} />
          ))}
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <p className="text-micro text-muted">
          Rising quantities in order steps, falling prices. The whole order has the price of its quantity.
        </p>
        {fields.length < MAX_PRICE_BREAKS && (
          <Button
            kind="line"
            size="bar"
            className="!h-10"
            onClick={() => append({ quantity: noNumber, price: Number.NaN })}
          >
            <Icon of={Plus} className="size-4" />
            Add a break
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface PriceBreakRowProps {
  form: EditForm;
  index: number;
  onRemove: () => void;
}

function PriceBreakRow({ form, index, onRemove }: PriceBreakRowProps) {
  const errorId = useId();
  const [price, each] = useWatch({ control: form.control, name: ['price', `priceBreaks.${index}.price`] });
  const errors = form.formState.errors.priceBreaks?.[index];
  const message = errors?.quantity?.message ?? errors?.price?.message;
  const describe = (field: 'quantity' | 'price') => ({
    required: true,
    'aria-invalid': errors?.[field] ? (true as const) : undefined,
    'aria-describedby': errors?.[field] ? errorId : undefined,
  });
  return (
    <div className="border-t border-base-300 py-2">
      <div className={`num ${columns}`}>
        <input
          className="input h-11 w-full"
          inputMode="numeric"
          min={1}
          aria-label={`Break ${index + 1}: from pieces`}
          {...describe('quantity')}
          {...deferBlur(
            form.register(`priceBreaks.${index}.quantity`, { setValueAs: readTyped(readPieces) }),
          )}
        />
        <div className="input h-11 w-full">
          <CurrencySign />
          <input
            inputMode="decimal"
            min={MIN_PRICE}
            aria-label={`Break ${index + 1}: price each`}
            {...describe('price')}
            {...usePriceInput(form, `priceBreaks.${index}.price`)}
          />
        </div>
        <span className="text-right text-sm text-muted max-sm:hidden">
          {each < price && `${((1 - each / price) * 100).toFixed(1)} %`}
        </span>
        <IconButton
          icon={X}
          label={`Remove break ${index + 1}`}
          className="size-10"
          iconClass="size-[1.125rem] text-muted"
          onClick={onRemove}
        />
      </div>
      {message && <FieldError id={errorId}>{message}</FieldError>}
    </div>
  );
}
