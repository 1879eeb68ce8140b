import { formatAmount } from '@parts-forge/contract/money';
import type { Product } from '@parts-forge/contract/products';
import { type BulkChange, type BulkLine, changeProducts } from '@parts-forge/contract/stock';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { callShop } from '#app/calls/api-client.ts';
import { useIdempotencyKey } from '#app/calls/use-idempotency-key.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { focusableWhereItScrolls } from '#app/ui/focusable-where-it-scrolls.ts';
import { toast } from '#app/ui/toast.tsx';
import { changePrice, type PriceChange, readPriceChange } from './change-price.ts';

interface PricesDialogProps {
  parts: readonly Product[];
  onClose: () => void;
  /** With the ids of the changed parts. */
  onDone: (ids: ReadonlySet<string>) => void;
}

/** The prices of the chosen parts by percent or amount, each shown before it is changed. */
export function PricesDialog({ parts: given, onClose, onDone }: PricesDialogProps) {
  // As they were when it opened: a retry after a lost answer must not change the changed prices.
  const [parts] = useState(given);
  const id = useId();
  const [text, setText] = useState('');
  const change = readPriceChange(text);
  const preview = usePreview(parts, change);
  const apply = useApplyPrices(parts);
  const confirm = () => {
    if (change === null) return;
    apply.mutate(change, {
      onSuccess: ({ lines }) => {
        const changed = lines.flatMap(({ ok, product }) => (ok && product ? [product._id] : []));
        const left = lines.length - changed.length;
        toast(
          left > 0 ? 'error' : 'success',
          `${changed.length} prices changed${left > 0 ? `, ${left} not: ${lines.find(({ ok }) => !ok)?.error?.detail}` : ''}`,
        );
        onDone(new Set(changed));
      },
      onError: (error) => toast('error', describeError(error)),
    });
  };
  return (
    <ConfirmDialog
      title={parts.length === 1 ? 'Change 1 price' : `Change ${parts.length} prices`}
      safe="Keep prices"
      confirm={parts.length === 1 ? 'Change 1 price' : `Change ${parts.length} prices`}
      kind="primary"
      busy={apply.isPending}
      busyLabel="Changing…"
      disabled={!preview.data}
      failure={apply.error}
      onClose={onClose}
      onConfirm={confirm}
    >
      <Field
        id={id}
        label="By"
        value={text}
        hint="A percent such as 5% or −2.5%, or dollars such as 0.40 or −1"
        error={
          text !== '' && change === null ? 'Write a percent such as 5%, or dollars such as −0.40' : undefined
        }
        onChange={(event) => setText(event.target.value)}
        data-focus-first
      />
      {preview.error && <FormError error={preview.error}>{describeError(preview.error)}</FormError>}
      <Preview parts={parts} lines={preview.data?.lines} />
      <p className="mt-3 text-sm">Prices by quantity and placed orders keep theirs.</p>
    </ConfirmDialog>
  );
}

/** As the shop would change them now; no data while it asks. */
const usePreview = (parts: readonly Product[], change: PriceChange | null) =>
  useQuery({
    queryKey: ['products', 'prices', change, parts.map(({ _id }) => _id)],
    queryFn: async ({ signal }) => {
      // A further key press aborts it.
      await new Promise((resolve) => setTimeout(resolve, 300));
      signal.throwIfAborted();
      return callShop(changeProducts, {
        body: { changes: change ? listChanges(parts, change) : [] },
        signal,
      });
    },
    enabled: change !== null,
  });

interface PreviewProps {
  parts: readonly Product[];
  lines: readonly BulkLine[] | undefined;
}

function Preview({ parts, lines }: PreviewProps) {
  return (
    <ul
      ref={focusableWhereItScrolls}
      aria-label="New prices"
      className="mt-4 max-h-64 overflow-y-auto border-y border-base-300 text-sm"
    >
      {parts.map(({ _id, name, number, price }) => {
        const line = lines?.find((each) => each.number === number);
        return (
          <li key={_id} className="flex flex-wrap justify-between gap-x-4 py-1.5">
            <span className="min-w-0 truncate">{name}</span>
            <span className="num shrink-0">
              {formatAmount(price)}
              {line?.after && ` → ${formatAmount(line.after.price)}`}
            </span>
            {line?.error && <span className="w-full text-error">{line.error.detail}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** A part that was edited since it was listed keeps its price. */
const listChanges = (parts: readonly Product[], change: PriceChange): BulkChange[] =>
  parts.map(({ number, price, version }) => ({ number, price: changePrice(price, change), version }));

function useApplyPrices(parts: readonly Product[]) {
  const queries = useQueryClient();
  const { getHeaders } = useIdempotencyKey();
  return useMutation({
    mutationFn: (change: PriceChange) => {
      const changes = listChanges(parts, change);
      return callShop(changeProducts, { body: { changes, apply: true }, headers: getHeaders(changes) });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['products'] }),
  });
}
