import { formatPieces } from '@parts-forge/contract/money';
import type { Product } from '@parts-forge/contract/products';
import type { StockChange } from '@parts-forge/contract/stock';
import { useState } from 'react';
import { useChangeStock } from '#app/products/mutations.ts';
import { toast } from '#app/ui/toast.tsx';
import { AddStockDialog, CorrectStockDialog } from './stock-dialogs.tsx';

/** Changes the stock of a part: `add` and `correct` open a dialog, `dialog` is the open one. */
export function useStockDialog(product: Product | undefined) {
  const [open, setOpen] = useState<{ Dialog: typeof AddStockDialog; product: Product } | null>(null);
  const change = useChangeStock();
  const ask = (Dialog: typeof AddStockDialog) => {
    change.reset();
    if (product) setOpen({ Dialog, product });
  };
  const confirm = (asked: Product, wanted: StockChange) =>
    change.mutate(
      { id: asked._id, ...wanted },
      {
        onSuccess: ({ data: { name, quantity } }) => {
          toast('success', `${name}: ${formatPieces(quantity)} in stock`);
          setOpen(null);
        },
      },
    );
  return {
    add: () => ask(AddStockDialog),
    correct: () => ask(CorrectStockDialog),
    dialog: open && (
      <open.Dialog
        product={open.product}
        error={change.error}
        busy={change.isPending}
        onClose={() => setOpen(null)}
        onConfirm={(wanted) => confirm(open.product, wanted)}
      />
    ),
  };
}
