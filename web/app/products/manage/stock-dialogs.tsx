import { zodResolver } from '@hookform/resolvers/zod';
import { MAX_STOCK, MAX_STOCK_NOTE } from '@parts-forge/contract/bounds';
import { formatPieces } from '@parts-forge/contract/money';
import { noNumber, readPieces, readTyped } from '@parts-forge/contract/number-text';
import { atLeast, atMost, wholeNumber } from '@parts-forge/contract/product-fields';
import type { Product } from '@parts-forge/contract/products';
import type { StockChange } from '@parts-forge/contract/stock';
import { text } from '@parts-forge/contract/text';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { ProductSummary } from '#app/products/product-cell.tsx';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
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
 * Sets the stock to the counted number, unless it has changed. A decrease needs a second confirmation: the
 * delivered pieces may have been typed instead of the total.
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
  const waitId = useId();
  const stock = usePresentStock(product, error);
  const form = useStockForm(least, props.initial);
  const pieces = useWatch({ control: form.control, name: 'pieces' });
  const question = useLoweringQuestion();
  const isWhole = Number.isInteger(pieces) && pieces >= least;
  const isAsked = question.isAsked(pieces, stock);
  const close = () => {
    if (!busy) onClose();
  };
  const submit = ({ pieces: typed, note: noted }: StockEntries) => {
    const change = props.toChange(typed, stock);
    if (busy || question.mustAsk(change, stock)) return;
    onConfirm({ ...change, ...(noted !== '' && { note: noted }) });
  };
  const doing = isWhole ? props.confirm(pieces, stock) : title;
  const confirm = isAsked ? `Set stock to ${formatPieces(pieces)}` : doing;
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <Actions
          form={formId}
          busy={busy}
          isDangerous={isAsked}
          waitId={isAsked && question.isTooSoon ? waitId : undefined}
          onClose={close}
        >
          {confirm}
        </Actions>
      }
    >
      <ProductSummary image={product.image} name={product.name} figures={`${formatPieces(stock)} in stock`} />
      {error && <StockError error={error} again={confirm} />}
      {isAsked && <LoweringQuestion stock={stock} wanted={pieces} confirm={confirm} />}
      <WaitNote id={waitId} isAsked={isAsked} isTooSoon={question.isTooSoon} />
      <form
        id={formId}
        noValidate
        className="grid gap-4 text-base-content"
        onSubmit={form.handleSubmit(submit)}
      >
        <StockFields {...props} form={form} step={isWhole ? props.describe(pieces, stock) : null} />
      </form>
      {props.onSwitch && (
        <button type="button" className="pf-link mt-4 min-h-6" onClick={busy ? undefined : props.onSwitch}>
          {props.other}
        </button>
      )}
    </Dialog>
  );
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

/** Rendered from the beginning, so that a screen reader announces its text. */
function WaitNote({ id, isAsked, isTooSoon }: { id: string; isAsked: boolean; isTooSoon: boolean }) {
  return (
    <p id={id} role="status" className={isAsked ? 'mb-4 min-h-6 text-sm' : 'sr-only'}>
      {isAsked && (isTooSoon ? 'Read this first: the button is ready in a second.' : 'The button is ready.')}
    </p>
  );
}

/** A second press within this time does not confirm: it may be a held or doubled Enter. */
const SLIP_MS = 1000;

/** Asks again before a decrease, for each typed number and each stock. */
function useLoweringQuestion() {
  const [asked, setAsked] = useState<{ wanted: number; stock: number } | null>(null);
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  /** Each press that cannot confirm restarts the wait. */
  const [presses, setPresses] = useState(0);
  const [readyFor, setReadyFor] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setReadyFor(presses), SLIP_MS);
    return () => clearTimeout(timer);
  }, [presses]);
  const isAsked = (wanted: number, stock: number) => asked?.wanted === wanted && asked.stock === stock;
  return {
    isAsked,
    isTooSoon: readyFor !== presses,
    /** Whether to ask instead of changing the stock. */
    mustAsk: ({ set }: StockChange, stock: number): boolean => {
      if (set === undefined || set >= stock) return false;
      const now = performance.now();
      if (isAsked(set, stock) && now - pressedAt.current >= SLIP_MS) return false;
      pressedAt.current = now;
      setPresses((before) => before + 1);
      setAsked({ wanted: set, stock });
      return true;
    },
  };
}

function LoweringQuestion({ stock, wanted, confirm }: { stock: number; wanted: number; confirm: string }) {
  return (
    <Banner kind="error" className="mb-4 text-base-content">
      <p>
        {formatPieces(stock)} → {formatPieces(wanted)}: this takes {formatPieces(stock - wanted)} away.{' '}
        {wanted === 0 && 'With 0 in stock nobody can order this part. '}
        Press {confirm} if that is meant.
      </p>
    </Banner>
  );
}

interface ActionsProps {
  form: string;
  busy: boolean;
  isDangerous: boolean;
  /** The id of the note that explains an inactive button, which keeps the focus. */
  waitId: string | undefined;
  onClose: () => void;
  children: ReactNode;
}

function Actions({ form, busy, isDangerous, waitId, onClose, children }: ActionsProps) {
  return (
    <>
      <Button kind="line" onClick={onClose}>
        Keep stock
      </Button>
      <Button
        kind={isDangerous ? 'danger' : 'primary'}
        type="submit"
        form={form}
        busy={busy}
        busyLabel="Updating…"
        aria-disabled={waitId !== undefined || undefined}
        aria-describedby={waitId}
        // The second press of a double click was for the earlier button text.
        onClick={(press) => press.detail > 1 && press.preventDefault()}
      >
        {children}
      </Button>
    </>
  );
}
