import { formatPieces } from '@parts-forge/contract/money/money';
import type { Product } from '@parts-forge/contract/products/products';
import type { StockChange } from '@parts-forge/contract/products/stock';
import { useState } from 'react';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { useChangeStock } from '#app/products/mutations.ts';
import { toast } from '#app/ui/toast.tsx';
import { AddStockDialog, CorrectStockDialog } from './stock-dialogs.tsx';

interface StockDialogOptions {
  /** Whether each dialog links to the other. */
  hasSwitch?: boolean;
  /**
   * The product no longer exists, and the dialog has closed. Without this callback the dialog shows the
   * error.
   */
  onGone?: (product: Product, error: Error) => void;
}

/** `add` and `correct` open a dialog, `dialog` is the open one. */
export function useStockDialog({ hasSwitch = false, onGone }: StockDialogOptions = {}) {
  const [open, setOpen] = useState<{ Dialog: typeof AddStockDialog; product: Product } | null>(null);
  const change = useChangeStock();
  const show = (Dialog: typeof AddStockDialog, product: Product) => {
    change.reset();
    setOpen({ Dialog, product });
  };
  const ask = (Dialog: typeof AddStockDialog) => (product: Product) => {
    // Opening it again may mean another delivery of the same size.
    change.begin();
    show(Dialog, product);
  };
  const showFailure = (asked: Product, error: Error) => {
    // The dialog shows other refusals.
    if (!onGone || getProblemCode(error) !== 'not-found') return;
    onGone(asked, error);
    setOpen(null);
  };
  const confirm = (asked: Product, wanted: StockChange) =>
    change.mutate(
      { id: asked._id, ...wanted },
      {
        onSuccess: ({ data: { name, quantity } }) => {
          toast('success', `${name}: ${formatPieces(quantity)} in stock`);
          setOpen(null);
        },
        onError: (error) => showFailure(asked, error),
      },
    );
  const dialog = open && (
    <open.Dialog
      product={open.product}
      error={change.error}
      busy={change.isPending}
      onClose={() => setOpen(null)}
      onConfirm={(wanted) => confirm(open.product, wanted)}
      {...(hasSwitch && {
        onSwitch: () =>
          show(open.Dialog === AddStockDialog ? CorrectStockDialog : AddStockDialog, open.product),
      })}
    />
  );
  return { add: ask(AddStockDialog), correct: ask(CorrectStockDialog), dialog };
}
