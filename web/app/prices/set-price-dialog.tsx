import { readPieces, readPrice, readTyped } from '@parts-forge/contract/files/number-text';
import { useState } from 'react';
import { FormDialog } from '#app/forms/form-dialog.tsx';
import { CurrencySign } from '#app/ui/currency-sign.tsx';
import { DayInput } from '#app/ui/day-input.tsx';
import { Field, FieldNotes, useFieldIds } from '#app/ui/field.tsx';
import { useSetPrice } from './queries.ts';

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
          <Field label="Part number" autoComplete="off" {...field('number')} />
          <Field label="From quantity" inputMode="numeric" {...field('fromQuantity')} />
          <Field label="Price" inputMode="decimal" lead={<CurrencySign />} {...field('price')} />
          <UntilField day={until} onChoose={setUntil} error={field('until').error} />
        </>
      )}
    </FormDialog>
  );
}

interface UntilFieldProps {
  day: string;
  onChoose: (day: string) => void;
  error: string | undefined;
}

function UntilField({ day, onChoose, error }: UntilFieldProps) {
  const hint = 'The day included; empty for no end';
  const ids = useFieldIds(undefined, error, hint);
  return (
    <div className="pf-field">
      <label htmlFor={ids.id}>Valid until</label>
      <DayInput id={ids.id} day={day} onChoose={onChoose} className="input" />
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  );
}
