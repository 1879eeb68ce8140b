import { MAX_QUOTE_NOTE } from '@parts-forge/contract/calls/bounds';
import { formatCents, formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { Product } from '@parts-forge/contract/products/products';
import { useState } from 'react';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextArea } from '#app/ui/field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { LineTable } from './line-table.tsx';
import { PriceInput, readPriceText } from './price-input.tsx';
import { useSendQuote } from './queries.ts';

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
  const [isWishedOnly, setWishedOnly] = useState(false);
  const [note, setNote] = useState('');
  const asking = useSendQuote();
  const sorted = lines.toSorted((a, b) => b.totalCents - a.totalCents);
  const findWish = ({ product }: AskLine) => readPriceText(wishes[product._id]);
  const wished = sorted.filter(({ product }) => wishes[product._id]?.trim());
  const asked = isWishedOnly && wished.length > 0 ? wished : sorted;
  const ask = () => {
    const sent = asked.map((line) => {
      const { price: wished } = findWish(line);
      return { productId: line.product._id, quantity: line.pieces, ...(wished && { wished }) };
    });
    asking.mutate(
      { lines: sent, ...(note.trim() && { note }) },
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
        wished={wished}
        asked={asked.length}
        isWishedOnly={isWishedOnly}
        onWishedOnly={setWishedOnly}
        note={note}
        onNote={setNote}
        asking={asking}
        isRefused={sorted.some((line) => findWish(line).refusal)}
        onClose={() => setOpen(false)}
        onAsk={ask}
      />
    ),
  };
}

interface AskDialogProps {
  /** The dearest first. */
  lines: readonly AskLine[];
  /** Texts by part. */
  wishes: Readonly<Record<string, string>>;
  onWish: (productId: string, text: string) => void;
  wished: readonly AskLine[];
  /** Lines. */
  asked: number;
  /** Leaves out the others. */
  isWishedOnly: boolean;
  onWishedOnly: (isWishedOnly: boolean) => void;
  note: string;
  onNote: (note: string) => void;
  asking: Pick<ReturnType<typeof useSendQuote>, 'isPending' | 'error'>;
  /** A wish is no price. */
  isRefused: boolean;
  onClose: () => void;
  onAsk: () => void;
}

function AskDialog(props: AskDialogProps) {
  const { lines, wishes, onWish, wished, asked, isWishedOnly, onWishedOnly } = props;
  const { note, onNote, asking, isRefused, onClose, onAsk } = props;
  const count = formatCount(asked, 'line');
  return (
    <Dialog
      title="Ask for a price"
      intro="Nothing is ordered and no stock is held. We answer by mail; the prices then stand in your batch until their last day."
      onClose={onClose}
      actions={
        <>
          <p className="num">{wished.length > 0 ? `${count}, ${wished.length} with a wish` : count}</p>
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
            Ask for {formatCount(asked, 'price')}
          </Button>
        </>
      }
    >
      <LineTable
        className="pf-wish"
        caption="Lines and the price you wish for"
        lines={lines}
        columns={[
          { head: 'Pieces', cell: ({ pieces }) => formatPieces(pieces) },
          { head: 'Each now', cell: ({ product, pieces }) => formatCents(unitPriceFor(pieces, product)) },
          {
            head: 'You wish',
            cell: ({ product }) => (
              <PriceInput
                label={`Price you wish for ${product.name}`}
                placeholder="any"
                text={wishes[product._id] ?? ''}
                onChange={(text) => onWish(product._id, text)}
              />
            ),
          },
        ]}
        describeRest={(rest) => !rest.some((line) => wished.includes(line)) && ' without a wish'}
      />
      <div className="grid gap-3 px-6 pb-5 max-sm:px-5">
        {wished.length > 0 && wished.length < lines.length && (
          <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="checkbox checkbox-neutral size-5"
              checked={isWishedOnly}
              onChange={(event) => onWishedOnly(event.target.checked)}
            />
            Ask only for lines with a wish
          </label>
        )}
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
