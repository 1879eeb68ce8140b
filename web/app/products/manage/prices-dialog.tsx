import { formatAmount, formatCount, toAmount, writeAmount } from '@parts-forge/contract/money/money';
import { applyImport, type Import, importProducts } from '@parts-forge/contract/products/catalogue';
import type { Product } from '@parts-forge/contract/products/products';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { callShop } from '#app/calls/api-client.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { focusableWhereItScrolls } from '#app/ui/focusable-where-it-scrolls.ts';
import { changePrice, type PriceChange, readPriceChange } from './change-price.ts';

interface PricesDialogProps {
  parts: readonly Product[];
  onClose: () => void;
  onDone: () => void;
}

/** The prices of the chosen parts by percent or amount, as a file of prices with its preview and result. */
export function PricesDialog({ parts: given, onClose, onDone }: PricesDialogProps) {
  // As they were when it opened: a retry after a lost answer must not change the changed prices.
  const [parts] = useState(given);
  const id = useId();
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const change = readPriceChange(text);
  const isTooLow = change !== null && parts.some(({ price }) => changePrice(price, change) <= 0);
  const apply = useMutation({
    mutationFn: (by: PriceChange) => applyPrices(parts, by, `Prices by ${text.replaceAll(' ', '')}`),
    onSuccess: ({ _id }) => {
      onDone();
      return navigate(`/dashboard/catalogue-file?import=${_id}`);
    },
  });
  const title = `Change ${formatCount(parts.length, 'price')}`;
  return (
    <ConfirmDialog
      title={title}
      safe="Keep prices"
      confirm={title}
      kind="primary"
      busy={apply.isPending}
      busyLabel="Changing…"
      disabled={change === null || isTooLow}
      failure={apply.error}
      onClose={onClose}
      onConfirm={() => change && apply.mutate(change)}
    >
      <Field
        id={id}
        label="By"
        value={text}
        hint={`A percent such as 5% or −2.5%, or an amount such as ${writeAmount(toAmount(40))} or −1`}
        error={
          text !== '' && change === null
            ? `Write a percent such as 5%, or an amount such as −${writeAmount(toAmount(40))}`
            : isTooLow
              ? 'Every price must stay above 0'
              : undefined
        }
        onChange={(event) => setText(event.target.value)}
        data-focus-first
      />
      <FormError error={apply.error} />
      <NewPrices parts={parts} change={change} />
      <p className="mt-3 text-sm">Prices by quantity and placed orders keep theirs.</p>
    </ConfirmDialog>
  );
}

function NewPrices({ parts, change }: { parts: readonly Product[]; change: PriceChange | null }) {
  return (
    <ul
      ref={focusableWhereItScrolls}
      aria-label="New prices"
      className="mt-4 max-h-64 overflow-y-auto border-y border-base-300 text-sm"
    >
      {parts.map(({ _id, number, name, price }) => (
        <li key={_id} className="flex flex-wrap justify-between gap-x-4 py-1.5">
          <span className="num font-medium">{number}</span>
          <span className="min-w-0 flex-1 truncate" dir="auto" title={name}>
            {name}
          </span>
          <span className="num shrink-0">
            {formatAmount(price)}
            {change && ` → ${formatAmount(changePrice(price, change))}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Applies what the dialog showed. Anything else, such as a part that was edited since, waits as a preview. */
async function applyPrices(parts: readonly Product[], change: PriceChange, name: string): Promise<Import> {
  const lines = parts.map(({ number, price }) => `${number},${writeAmount(changePrice(price, change))}`);
  const file = new Blob([['number,price', ...lines].join('\n')], { type: 'text/csv' });
  const { data } = await callShop(importProducts, { query: { name }, file });
  const shown = new Map(parts.map(({ number, price }) => [number, writeAmount(price)]));
  const isShown = ({ number, changes, warning }: Import['lines'][number]) =>
    !warning && changes[0]?.was === shown.get(number);
  if (data.lines.length === parts.length && data.lines.every(isShown))
    await callShop(applyImport, { params: { id: data._id } });
  return data;
}
