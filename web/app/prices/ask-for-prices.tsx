import { MAX_QUOTE_NOTE } from '@parts-forge/contract/calls/bounds';
import { formatCents, formatCount, formatPieces, toAmount, toCents } from '@parts-forge/contract/money/money';
import { grossPiece, type Priced, unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { Product } from '@parts-forge/contract/products/products';
import { useState } from 'react';
import { describeWithWait } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextArea } from '#app/ui/field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type LineColumn, LineTable } from './line-table.tsx';
import { FormRefusal, findRefusal, PriceInput, readPriceText } from './price-input.tsx';
import { useSendQuote } from './queries.ts';

interface AskLine {
  product: Product & Priced;
  pieces: number;
  totalCents: number;
}

/** A button and its dialog. The page has the button twice. The dialog keeps what was typed until it is sent. */
export function useAskForPrices(lines: readonly AskLine[]) {
  const [isOpen, setOpen] = useState(false);
  const wishes = useWishes(lines);
  const close = () => setOpen(false);
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
    dialog: isOpen && <AskDialog wishes={wishes} onClose={close} />,
  };
}

function useWishes(lines: readonly AskLine[]) {
  /** By the part's id. */
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [isWishedOnly, setWishedOnly] = useState(false);
  const [note, setNote] = useState('');
  const asking = useSendQuote();
  const textOf = ({ product }: AskLine) => texts[product._id] ?? '';
  const sorted = lines.toSorted((a, b) => b.totalCents - a.totalCents);
  const wished = sorted.filter((line) => textOf(line).trim());
  const asked = isWishedOnly && wished.length > 0 ? wished : sorted;
  const ask = (onDone: () => void) => {
    const sent = asked.map((line) => {
      const { _id: productId, untaxedRate } = line.product;
      const { price } = readPriceText(textOf(line));
      // As it stands beside a price without tax, it is without tax, too.
      const wished = price && toAmount(grossPiece(toCents(price), untaxedRate));
      return { productId, quantity: line.pieces, ...(wished && { wished }) };
    });
    asking.mutate(
      { lines: sent, ...(note.trim() && { note }) },
      {
        onSuccess: () => {
          // The request stands above the list, which may be out of sight.
          toast('success', `Asked for ${formatCount(asked.length, 'price')}`);
          onDone();
          setTexts({});
          setNote('');
        },
      },
    );
  };
  return {
    /** The dearest first. */
    lines: sorted,
    refusal: findRefusal(sorted, textOf),
    wished,
    asked,
    isWishedOnly,
    setWishedOnly,
    textOf,
    setText: ({ product }: AskLine, text: string) => setTexts({ ...texts, [product._id]: text }),
    note,
    setNote,
    ask,
    asking,
  };
}

interface AskDialogProps {
  wishes: ReturnType<typeof useWishes>;
  onClose: () => void;
}

function AskDialog({ wishes, onClose }: AskDialogProps) {
  const { lines, wished, asked, asking } = wishes;
  const count = formatCount(asked.length, 'line');
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
            disabled={wishes.refusal !== null}
            onClick={() => wishes.ask(onClose)}
          >
            Ask for {formatCount(asked.length, 'price')}
          </Button>
        </>
      }
    >
      <LineTable
        className="pf-wish"
        caption="Lines and the price you wish for"
        lines={lines}
        columns={listColumns(wishes)}
        describeRest={(rest) => !rest.some((line) => wished.includes(line)) && ' without a wish'}
      />
      <AskFoot wishes={wishes} />
    </Dialog>
  );
}

const listColumns = (wishes: AskDialogProps['wishes']): LineColumn<AskLine>[] => [
  { head: 'Pieces', cell: ({ pieces }) => formatPieces(pieces) },
  { head: 'Each now', cell: ({ product, pieces }) => formatCents(unitPriceFor(pieces, product)) },
  {
    head: 'You wish',
    cell: (line) => (
      <PriceInput
        label={`Price you wish for ${line.product.name}`}
        placeholder="any"
        text={wishes.textOf(line)}
        onChange={(text) => wishes.setText(line, text)}
      />
    ),
  },
];

function AskFoot({ wishes }: Pick<AskDialogProps, 'wishes'>) {
  const { lines, wished, refusal, asking } = wishes;
  return (
    <div className="grid gap-3 px-6 pb-5 max-sm:px-5">
      {wished.length > 0 && wished.length < lines.length && (
        <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="checkbox checkbox-neutral size-5"
            checked={wishes.isWishedOnly}
            onChange={(event) => wishes.setWishedOnly(event.target.checked)}
          />
          Ask only for lines with a wish
        </label>
      )}
      <TextArea
        label="Note"
        rows={2}
        maxLength={MAX_QUOTE_NOTE}
        value={wishes.note}
        onChange={(event) => wishes.setNote(event.target.value)}
      />
      <FormRefusal refusal={refusal} />
      {asking.error && <FormError error={asking.error}>{describeWithWait(asking.error)}</FormError>}
    </div>
  );
}
