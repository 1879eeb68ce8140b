import { readPieces, readPrice, readTyped } from '@parts-forge/contract/files/number-text';
import { formatAmount, formatCents } from '@parts-forge/contract/money/money';
import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { Product } from '@parts-forge/contract/products/products';
import { FormDialog } from '#app/forms/form-dialog.tsx';
import { PriceQuestion } from '#app/products/edit/price-question.tsx';
import { CurrencySign } from '#app/ui/currency-sign.tsx';
import { Field } from '#app/ui/field.tsx';
import { useQuestion } from '#app/ui/use-question.ts';
import { type TypedPrice, useSetPrice } from './queries.ts';

/** Agrees on one price; a file has many. */
export function SetPriceDialog({ onClose }: { onClose: () => void }) {
  const set = useSetPrice();
  const numberRefusal = set.variables?.number.trim() ? 'No part has this number' : 'Part number is Required';
  const question = useQuestion<{ typed: TypedPrice; part: Product }>(({ typed, part }, close) => (
    <PriceQuestion
      moves={[
        `${part.number}: ${formatCents(unitPriceFor(typed.fromQuantity, part))} → ${formatAmount(typed.price)}`,
      ]}
      onClose={close}
      onConfirm={() => {
        close();
        save({ ...typed, isSure: true });
      }}
    />
  ));
  const save = (typed: TypedPrice) =>
    set.mutate(typed, { onSuccess: (part) => (part ? question.ask({ typed, part }) : onClose()) });
  const send = ({ customer = '', number = '', fromQuantity = '', price = '', until = '' }) =>
    save({
      customer,
      number,
      fromQuantity: readTyped(readPieces)(fromQuantity),
      price: readTyped(readPrice)(price),
      ...(until && { until }),
    });
  return (
    <FormDialog title="Agree on a price" confirm="Save price" state={set} onClose={onClose} onSend={send}>
      {(field) => (
        <>
          {question.dialog}
          <Field label="Customer’s email" type="email" data-focus-first {...field('customer')} />
          <Field
            label="Part number"
            autoComplete="off"
            {...field('number')}
            error={field('number').error ?? (field('productId').error && numberRefusal)}
          />
          <Field label="From quantity" inputMode="numeric" {...field('fromQuantity')} />
          <Field label="Price" inputMode="decimal" lead={<CurrencySign />} {...field('price')} />
          <Field
            label="Valid until"
            type="date"
            hint="The day included; empty for no end"
            {...field('until')}
          />
        </>
      )}
    </FormDialog>
  );
}
