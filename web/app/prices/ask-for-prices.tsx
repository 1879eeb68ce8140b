import { MAX_QUOTE_NOTE } from '@parts-forge/contract/calls/bounds';
import { formatCents, formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { Product } from '@parts-forge/contract/products/products';
import { useState } from 'react';
import { FormError } from '#app/forms/form-error.tsx';
import { MoreLines } from '#app/rows/more-lines.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextArea } from '#app/ui/field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { PriceInput, readPriceText, refusePriceText } from './price-input.tsx';
import { useSendQuote } from './queries.ts';

const FIRST_LINES = 6;

interface AskLine {
  product: Product;
  pieces: number;
  totalCents: number;
}

/** The button, which stands in two places, and its dialog. What was typed stays until it is sent. */
export function useAskForPrices(lines: readonly AskLine[]) {
  const [isOpen, setOpen] = useState(false);
  /** Texts by part. */
  const [wishes, setWishes] = useState<Readonly<Record<string, string>>>({});
  const [note, setNote] = useState('');
  const asking = useSendQuote();
  const sorted = lines.toSorted((a, b) => b.totalCents - a.totalCents);
  const isRefused = sorted.some(({ product }) => refusePriceText(wishes[product._id] ?? ''));
  const ask = () => {
    const asked = sorted.map((line) => {
      const wished = readPriceText(wishes[line.product._id] ?? '');
      return { productId: line.product._id, quantity: line.pieces, ...(wished && { wished }) };
    });
    asking.mutate(
      { lines: asked, ...(note.trim() && { note }) },
      {
        onSuccess: () => {
          // The request stands above the list, which may be out of sight.
          toast('success', `Asked for ${formatCount(asked.length, 'price')}`);
          setOpen(false);
          setWishes({});
          setNote('');
        },
      },
    );
  };
  return {
    button: (className: string) => (
      <Button
        kind="line"
        size="bar"
        className={className}
        disabled={lines.length === 0}
        onClick={() => setOpen(true)}
      >
        Ask for a price
      </Button>
    ),
    dialog: isOpen && (
      <AskDialog
        lines={sorted}
        wishes={wishes}
        onWish={(id, text) => setWishes({ ...wishes, [id]: text })}
        note={note}
        onNote={setNote}
        asking={asking}
        isRefused={isRefused}
        onClose={() => setOpen(false)}
        onAsk={ask}
      />
    ),
  };
}

interface AskDialogProps extends WishTableProps {
  note: string;
  onNote: (note: string) => void;
  asking: Pick<ReturnType<typeof useSendQuote>, 'isPending' | 'error'>;
  /** A wish is no price. */
  isRefused: boolean;
  onClose: () => void;
  onAsk: () => void;
}

function AskDialog({ note, onNote, asking, isRefused, onClose, onAsk, ...table }: AskDialogProps) {
  const { lines, wishes } = table;
  const count = formatCount(lines.length, 'line');
  const wished = lines.filter(({ product }) => wishes[product._id]?.trim()).length;
  return (
    <Dialog
      title="Ask for a price"
      intro="Nothing is ordered and no stock is held. We answer by mail; the prices then stand in your batch until their last day."
      onClose={onClose}
      actions={
        <>
          <p className="num">{wished > 0 ? `${count}, ${wished} with a wish` : count}</p>
          <Button kind="line" size="bar" onClick={onClose}>
            Cancel
          </Button>
          <Button
            kind="primary"
            size="bar"
            busy={asking.isPending}
            busyLabel="Asking…"
            disabled={isRefused}
            onClick={onAsk}
          >
            Ask for {formatCount(lines.length, 'price')}
          </Button>
        </>
      }
    >
      <WishTable {...table} />
      <div className="grid gap-3 px-6 pb-5 max-sm:px-5">
        <TextArea
          label="Note"
          rows={2}
          maxLength={MAX_QUOTE_NOTE}
          value={note}
          onChange={(event) => onNote(event.target.value)}
        />
        <FormError error={asking.error} />
      </div>
    </Dialog>
  );
}

interface WishTableProps {
  /** The dearest first. */
  lines: readonly AskLine[];
  /** Texts by part. */
  wishes: Readonly<Record<string, string>>;
  onWish: (productId: string, text: string) => void;
}

function WishTable({ lines, wishes, onWish }: WishTableProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, FIRST_LINES);
  const others = lines.slice(shown.length);
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a display other than table drops the implied roles. */}
      <table className="pf-wish" role="table">
        <caption className="sr-only">Lines and the price you wish for</caption>
        <thead role="rowgroup">
          <tr role="row">
            {['Part', 'Pieces', 'Each now', 'You wish'].map((head) => (
              <th key={head} role="columnheader" scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((line) => (
            <WishRow key={line.product._id} line={line} wishes={wishes} onWish={onWish} />
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
      <p className="px-6 py-2 text-sm max-sm:px-5">
        <MoreLines left={others.length} onShow={() => setWhole(true)}>
          {others.every(({ product }) => !wishes[product._id]) && ' without a wish'}
        </MoreLines>
      </p>
    </>
  );
}

interface WishRowProps extends Omit<WishTableProps, 'lines'> {
  line: AskLine;
}

function WishRow({ line: { product, pieces }, wishes, onWish }: WishRowProps) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see the table.
    <tr role="row">
      <th role="rowheader" scope="row">
        <bdi className="line">{product.name}</bdi>
        <span className="num sub">{product.number}</span>
      </th>
      <td role="cell" className="num">
        {formatPieces(pieces)}
      </td>
      <td role="cell" className="num">
        {formatCents(unitPriceFor(pieces, product))}
      </td>
      <td role="cell">
        <PriceInput
          label={`Price you wish for ${product.name}`}
          placeholder="any"
          text={wishes[product._id] ?? ''}
          onChange={(text) => onWish(product._id, text)}
        />
      </td>
    </tr>
    // biome-ignore-end lint/a11y/noRedundantRoles: see the table.
  );
}
