import { zodResolver } from '@hookform/resolvers/zod';
import { MIN_STOCK } from '@parts-forge/contract/bounds';
import { formatPieces } from '@parts-forge/contract/money';
import { type Product, restockSchema } from '@parts-forge/contract/products';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { describeError } from '#app/errors/describe-error.ts';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { ProductSummary } from './product-cell.tsx';

interface RestockDialogProps {
  product: Product;
  /** Why the stock could not be set; null for nothing. */
  error: Error | null;
  busy: boolean;
  onClose: () => void;
  onConfirm: (quantity: number) => void;
}

/** Sets the stock of a product to a number of pieces. */
export function RestockDialog({ product, error, busy, onClose, onConfirm }: RestockDialogProps) {
  const formId = useId();
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      title="Restock this product?"
      onClose={close}
      actions={
        <>
          <Button kind="line" data-safe onClick={close}>
            Keep stock
          </Button>
          <Button kind="primary" type="submit" form={formId} busy={busy} busyLabel="Updating…">
            Update stock
          </Button>
        </>
      }
    >
      <ProductSummary
        image={product.image}
        name={product.name}
        figures={`${formatPieces(product.quantity)} in stock`}
      />
      {error && (
        <FormError error={error} className="mb-4">
          {describeError(error)} Try again.
        </FormError>
      )}
      <StockForm
        id={formId}
        initial={product.quantity}
        onSubmit={(quantity) => !busy && onConfirm(quantity)}
      />
    </Dialog>
  );
}

interface StockFormProps {
  id: string;
  /** pieces */
  initial: number;
  onSubmit: (quantity: number) => void;
}

function StockForm({ id, initial, onSubmit }: StockFormProps) {
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
      className="text-base-content"
    >
      <Field
        label="Quantity"
        type="number"
        inputMode="numeric"
        min={MIN_STOCK}
        step={1}
        required
        hint="All pieces on hand from now on."
        error={form.formState.errors.quantity?.message}
        {...deferBlur(form.register('quantity', { valueAsNumber: true }))}
      />
    </form>
  );
}
