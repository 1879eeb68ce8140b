import { zodResolver } from '@hookform/resolvers/zod';
import { MIN_STOCK } from '@parts-forge/contract/bounds';
import { formatPieces } from '@parts-forge/contract/money';
import { type Product, restockSchema } from '@parts-forge/contract/products';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { ProductSummary } from './product-cell.tsx';
import { StockError, usePresentStock } from './stock-error.tsx';

interface RestockDialogProps {
  product: Product;
  /** Why the stock could not be set; null for nothing. */
  error: Error | null;
  busy: boolean;
  onClose: () => void;
  /** @param was the stock that is shown, in pieces */
  onConfirm: (quantity: number, was: number) => void;
}

/** Sets the stock of a product to a number of pieces, as long as it still is the one that is shown. */
export function RestockDialog({ product, error, busy, onClose, onConfirm }: RestockDialogProps) {
  const formId = useId();
  const [isEmptying, setEmptying] = useState(false);
  const was = usePresentStock(product, error);
  const close = () => {
    if (!busy) onClose();
  };
  const submit = (quantity: number) => {
    if (busy) return;
    // Nobody can order what has no stock: a 0 is asked about once.
    if (quantity === 0 && !isEmptying) setEmptying(true);
    else onConfirm(quantity, was);
  };
  return (
    <Dialog
      title="Set stock level"
      onClose={close}
      actions={
        <>
          <Button kind="line" data-safe onClick={close}>
            Keep stock
          </Button>
          <Button
            kind={isEmptying ? 'danger' : 'primary'}
            type="submit"
            form={formId}
            busy={busy}
            busyLabel="Updating…"
          >
            {isEmptying ? 'Set stock to 0' : 'Update stock'}
          </Button>
        </>
      }
    >
      <ProductSummary image={product.image} name={product.name} figures={`${formatPieces(was)} in stock`} />
      {error && <StockError error={error} again="Update stock" />}
      {isEmptying && (
        <Banner kind="error" className="mb-4">
          With 0 in stock nobody can order this part. Press Set stock to 0 if that is meant.
        </Banner>
      )}
      <StockForm
        id={formId}
        initial={product.quantity}
        onChange={() => setEmptying(false)}
        onSubmit={submit}
      />
    </Dialog>
  );
}

interface StockFormProps {
  id: string;
  /** pieces */
  initial: number;
  onChange: () => void;
  onSubmit: (quantity: number) => void;
}

function StockForm({ id, initial, onChange, onSubmit }: StockFormProps) {
  const form = useForm({
    resolver: zodResolver(restockSchema),
    mode: 'onTouched',
    defaultValues: { quantity: initial },
  });
  return (
    <form
      id={id}
      noValidate
      onSubmit={form.handleSubmit(({ quantity }) => onSubmit(quantity))}
      onInput={onChange}
      className="text-base-content"
    >
      <Field
        label="Quantity"
        type="number"
        inputMode="numeric"
        min={MIN_STOCK}
        step={1}
        required
        hint="New total in stock."
        error={form.formState.errors.quantity?.message}
        {...deferBlur(form.register('quantity', { valueAsNumber: true }))}
      />
    </form>
  );
}
