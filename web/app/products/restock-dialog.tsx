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
  const id = useId();
  const form = useForm({
    resolver: zodResolver(restockSchema),
    mode: 'onTouched',
    defaultValues: { quantity: product.quantity },
  });
  const close = () => {
    if (!busy) onClose();
  };
  const submit = form.handleSubmit(({ quantity }) => {
    if (!busy) onConfirm(quantity);
  });
  return (
    <Dialog
      title="Restock this product?"
      onClose={close}
      actions={
        <>
          <Button kind="line" data-safe onClick={close}>
            Keep stock
          </Button>
          <Button kind="primary" type="submit" form={id} busy={busy} busyLabel="Updating…">
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
      <form id={id} noValidate onSubmit={submit} className="text-base-content">
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
    </Dialog>
  );
}
