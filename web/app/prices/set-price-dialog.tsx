import { readPieces, readPrice, readTyped } from '@parts-forge/contract/files/number-text';
import { useState } from 'react';
import { FormDialog } from '#app/forms/form-dialog.tsx';
import { CurrencySign } from '#app/ui/currency-sign.tsx';
import { Field } from '#app/ui/field.tsx';
import { useSetPrice } from './queries.ts';
import { UntilField } from './until-field.tsx';

const explainNumber = (field: (name: string) => { error: string | undefined }) =>
  field('number').error ?? (field('productId').error && 'No part has this number');

/** Agrees on one price; a file has many. */
export function SetPriceDialog({ onClose }: { onClose: () => void }) {
  const set = useSetPrice();
  const [until, setUntil] = useState('');
  const send = ({ customer = '', number = '', fromQuantity = '', price = '' }) =>
    set.mutate(
      {
        customer,
        number,
        fromQuantity: readTyped(readPieces)(fromQuantity),
        price: readTyped(readPrice)(price),
        ...(until && { until }),
      },
      { onSuccess: onClose },
    );
  return (
    <FormDialog title="Agree on a price" confirm="Save price" state={set} onClose={onClose} onSend={send}>
      {(field) => (
        <>
          <Field label="Customer’s email" type="email" data-focus-first {...field('customer')} />
          <Field label="Part number" autoComplete="off" {...field('number')} error={explainNumber(field)} />
          <Field label="From quantity" inputMode="numeric" {...field('fromQuantity')} />
          <Field label="Price" inputMode="decimal" lead={<CurrencySign />} {...field('price')} />
          <UntilField
            label="Valid until"
            hint="The day included; empty for no end"
            day={until}
            onChoose={setUntil}
            error={field('until').error}
          />
        </>
      )}
    </FormDialog>
  );
}
