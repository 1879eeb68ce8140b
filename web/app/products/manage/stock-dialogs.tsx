import { zodResolver } from '@hookform/resolvers/zod';
import { MAX_STOCK, MAX_STOCK_NOTE } from '@parts-forge/contract/calls/bounds';
import { noNumber, readPieces, readTyped } from '@parts-forge/contract/files/number-text';
import { formatPieces } from '@parts-forge/contract/money/money';
import { atLeast, atMost, wholeNumber } from '@parts-forge/contract/products/product-fields';
import type { Product } from '@parts-forge/contract/products/products';
import type { StockChange } from '@parts-forge/contract/products/stock';
import { text } from '@parts-forge/contract/text/text';
import { useId, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { ProductSummary } from '#app/products/product-cell.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog, Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { StockError, usePresentStock } from './stock-error.tsx';

interface StockDialogProps {
  product: Product;
  error: Error | null;
  busy: boolean;
  onClose: () => void;
  onConfirm: (change: StockChange) => void;
  /** Switches to the other dialog; absent when the page has a button for each. */
  onSwitch?: () => void;
}

const note = text({ max: MAX_STOCK_NOTE });
const countField = (least: number) =>
  wholeNumber('Quantity is Required').check(atLeast(least), atMost(MAX_STOCK));

export function AddStockDialog(props: StockDialogProps) {
  return (
    <StockDialog
      {...props}
      title="Restock"
      label="Pieces to add"
      noteLabel="Note"
      other="Set the total instead"
      least={1}
      initial={noNumber}
      describe={(pieces, stock) => describeStep(pieces, stock, stock + pieces)}
      confirm={(pieces) => (pieces > 0 ? `Add ${formatPieces(pieces)}` : 'Add')}
      toChange={(add) => ({ add, reason: 'restock' })}
    />
  );
}

/**
 * Sets the stock to the counted number, unless it has changed. A decrease is asked about: the delivered pieces
 * may have been typed instead of the total.
 */
export function CorrectStockDialog(props: StockDialogProps) {
  return (
    <StockDialog
      {...props}
      title="Correct the stock"
      label="Counted pieces"
      noteLabel="Reason"
      other="Add pieces instead"
      least={0}
      initial={props.product.quantity}
      describe={(pieces, stock) => describeStep(pieces - stock, stock, pieces)}
      confirm={(pieces, stock) => {
        const difference = pieces - stock;
        if (difference === 0) return 'Confirm count';
        return difference < 0 ? `Take ${formatPieces(-difference)} off` : `Add ${formatPieces(difference)}`;
      }}
      toChange={(set, was) => ({ set, was, reason: 'correction' })}
    />
  );
}

function describeStep(difference: number, from: number, to: number): string {
  if (difference === 0) return `As it is: ${formatPieces(from)}`;
  const step = `${formatPieces(from)} → ${formatPieces(to)}`;
  return `${formatPieces(Math.abs(difference))} ${difference < 0 ? 'fewer' : 'more'}: ${step}`;
}

interface StockFormProps extends StockDialogProps {
  title: string;
  label: string;
  noteLabel: string;
  other: string;
  /** The minimum and the initial value. */
  least: number;
  initial: number;
  describe: (pieces: number, stock: number) => string;
  confirm: (pieces: number, stock: number) => string;
  toChange: (pieces: number, stock: number) => StockChange;
}

function StockDialog(props: StockFormProps) {
  const { product, error, busy, onClose, onConfirm, title, least } = props;
  const formId = useId();
  const stock = usePresentStock(product, error);
  const form = useStockForm(least, props.initial);
  const pieces = useWatch({ control: form.control, name: 'pieces' });
  const isWhole = Number.isInteger(pieces) && pieces >= least;
  const close = () => {
    if (!busy) onClose();
  };
  const submit = ({ pieces: typed, note: noted }: StockEntries) => {
    if (busy) return;
    const change = { ...props.toChange(typed, stock), ...(noted !== '' && { note: noted }) };
    send(change);
  };
  const confirm = isWhole ? props.confirm(pieces, stock) : title;
  const { send, question } = useLoweringQuestion(stock, confirm, onConfirm);
  return (
    <>
      <Dialog
        title={title}
        onClose={close}
        actions={
          <>
            <Button kind="line" onClick={close}>
              Keep stock
            </Button>
            <Button kind="primary" type="submit" form={formId} busy={busy} busyLabel="Updating…">
              {confirm}
            </Button>
          </>
        }
      >
        <ProductSummary
          image={product.image}
          name={product.name}
          figures={`${formatPieces(stock)} in stock`}
        />
        {error && <StockError error={error} again={confirm} />}
        <form
          id={formId}
          noValidate
          className="grid gap-4 text-base-content"
          onSubmit={form.handleSubmit(submit)}
        >
          <StockFields {...props} form={form} step={isWhole ? props.describe(pieces, stock) : null} />
        </form>
        <OtherDialog {...props} />
      </Dialog>
      {question}
    </>
  );
}

function OtherDialog({ busy, onSwitch, other }: StockFormProps) {
  if (!onSwitch) return null;
  return (
    <button type="button" className="pf-link mt-4 min-h-6" onClick={busy ? undefined : onSwitch}>
      {other}
    </button>
  );
}

/** Sends a change, but asks before one that sets a lower stock. */
function useLoweringQuestion(from: number, confirm: string, onConfirm: (change: StockChange) => void) {
  const [asked, setAsked] = useState<{ change: StockChange; to: number } | null>(null);
  const send = (change: StockChange) => {
    if (change.set !== undefined && change.set < from) setAsked({ change, to: change.set });
    else onConfirm(change);
  };
  const question = asked && (
    <ConfirmDialog
      title={`Set the stock to ${formatPieces(asked.to)}?`}
      safe="Check the number"
      confirm={confirm}
      onClose={() => setAsked(null)}
      onConfirm={() => {
        setAsked(null);
        onConfirm(asked.change);
      }}
    >
      {`${describeStep(asked.to - from, from, asked.to)}.${asked.to === 0 ? ' With 0 in stock nobody can order this part.' : ''}`}
    </ConfirmDialog>
  );
  return { send, question };
}

interface StockEntries {
  pieces: number;
  note: string;
}

const useStockForm = (least: number, initial: number) =>
  useForm<StockEntries>({
    resolver: zodResolver(z.object({ pieces: countField(least), note })),
    mode: 'onTouched',
    defaultValues: { pieces: initial, note: '' },
  });

interface StockFieldsProps extends Pick<StockFormProps, 'label' | 'noteLabel' | 'least'> {
  form: ReturnType<typeof useStockForm>;
  /** The effect of the typed number; null for none. */
  step: string | null;
}

function StockFields({ label, noteLabel, least, form, step }: StockFieldsProps) {
  const { errors } = form.formState;
  return (
    <>
      <Field
        label={label}
        inputMode="numeric"
        min={least}
        required
        hint={step === null ? ' ' : <span className="num">{step}</span>}
        error={errors.pieces?.message}
        data-focus-first=""
        {...deferBlur(form.register('pieces', { setValueAs: readTyped(readPieces) }))}
      />
      <Field
        label={noteLabel}
        maxLength={MAX_STOCK_NOTE}
        hint="Kept in the ledger with your name"
        error={errors.note?.message}
        {...deferBlur(form.register('note'))}
      />
    </>
  );
}
