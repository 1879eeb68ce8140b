import { MAX_QUOTE_NOTE } from '@parts-forge/contract/calls/bounds';
import {
  formatAmount,
  formatCents,
  formatCount,
  toAmount,
  toCents,
  writeAmount,
} from '@parts-forge/contract/money/money';
import { noteAgreedPrice } from '@parts-forge/contract/money/pricing';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import { addDays } from '@parts-forge/contract/text/days';
import { useId, useState } from 'react';
import { FormDialog } from '#app/forms/form-dialog.tsx';
import { FormError } from '#app/forms/form-error.tsx';
import { ShopProblem } from '#app/http/errors.ts';
import { PriceQuestion } from '#app/products/edit/price-question.tsx';
import { changePrice } from '#app/products/manage/change-price.ts';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { FormRefusal, findRefusal, PriceInput, readPriceText } from './price-input.tsx';
import type { useAnswerQuote } from './queries.ts';
import { listCents, type QuoteLine, QuoteLines, sumListed } from './quote-lines.tsx';
import { focusFold } from './quotes-table.tsx';

/** How long prices hold by default. */
const DEFAULT_DAYS = 30;

/** An answer as it is typed. */
export interface AnswerDraft {
  /** Prices by the part's id. */
  texts: Readonly<Record<string, string>>;
  until: string;
  note: string;
}

export const startDraft = (): AnswerDraft => ({
  texts: {},
  until: addDays(new Date().toISOString().slice(0, 10), DEFAULT_DAYS),
  note: '',
});

interface AnswerFormProps {
  quote: Quote;
  /** The page keeps it, as a row forgets its form when it closes. */
  draft: AnswerDraft;
  onDraft: (draft: AnswerDraft) => void;
  /** The page sends it, as the form disappears with its request. */
  answering: ReturnType<typeof useAnswerQuote>;
  onDecline: () => void;
}

type Prices = ReturnType<typeof readPrices>;

/** The typed prices of a request; an empty text means the list's. */
function readPrices(lines: readonly QuoteLine[], { draft, onDraft }: AnswerFormProps) {
  const { texts } = draft;
  const setTexts = (typed: AnswerDraft['texts']) => onDraft({ ...draft, texts: { ...texts, ...typed } });
  const textOf = ({ product }: QuoteLine) => texts[product._id] ?? '';
  const priceOf = (line: QuoteLine) => readPriceText(textOf(line)).price;
  return {
    textOf,
    priceOf,
    noteOf: (line: QuoteLine) => {
      const price = priceOf(line);
      return price === undefined ? null : noteAgreedPrice(price, line.quantity, line.product);
    },
    setText: ({ product }: QuoteLine, text: string) => setTexts({ [product._id]: text }),
    /** A line for which `price` is undefined keeps its text. */
    fill: (price: (line: QuoteLine) => number | undefined) => {
      const filled = lines.flatMap((line) => {
        const amount = price(line);
        return amount === undefined ? [] : [[line.product._id, writeAmount(amount)]];
      });
      setTexts(Object.fromEntries(filled));
    },
    priced: lines.filter((line) => priceOf(line) !== undefined),
    refusal: findRefusal(lines, textOf),
  };
}

export function AnswerForm(props: AnswerFormProps) {
  const { number, note } = props.quote;
  const lines = props.quote.lines.filter(({ product }) => !product.gone);
  const prices = readPrices(lines, props);
  const { textOf, priceOf, noteOf, setText } = prices;
  return (
    <div className="pf-answer">
      <div className="said">
        {note && <blockquote>“{note}”</blockquote>}
        <Fill lines={lines} fill={prices.fill} />
      </div>
      <QuoteLines
        caption={`Lines of Q-${number} and your prices`}
        lines={props.quote.lines}
        renderWish={(line, wished) => (
          <button
            type="button"
            className="pf-link pf-fix"
            aria-label={`Take the wish ${formatAmount(wished)} for ${line.product.name}`}
            onClick={() => setText(line, writeAmount(wished))}
          >
            {formatAmount(wished)}
          </button>
        )}
        priceHead="Your price"
        renderPrice={(line) => (
          <PriceInput
            label={`Your price for ${line.product.name}`}
            placeholder="list"
            text={textOf(line)}
            note={noteOf(line) === 'above' && 'Above the list: the list’s price counts'}
            onChange={(text) => setText(line, text)}
          />
        )}
        findCents={(line) => {
          const price = priceOf(line);
          if (price === undefined) return textOf(line).trim() === '' ? null : undefined;
          return toCents(price);
        }}
        describeRest={(rest) =>
          !rest.some(textOf) &&
          ` ${rest.length === 1 ? 'keeps' : 'keep'} the list price unless you write another.`
        }
        after={<Sum lines={lines} priceOf={priceOf} />}
      />
      <AnswerFoot {...props} prices={prices} />
    </div>
  );
}

function Fill({ lines, fill }: { lines: readonly QuoteLine[] } & Pick<Prices, 'fill'>) {
  const [isAsking, setAsking] = useState(false);
  const wishes = lines.filter(({ wished }) => wished !== undefined).length;
  return (
    <div>
      {wishes > 0 && (
        <button
          type="button"
          className="pf-link pf-fix font-medium"
          onClick={() => fill(({ wished }) => wished)}
        >
          {wishes === 1 ? 'Take the wish' : `Take the ${wishes} wishes`}
        </button>
      )}
      <button type="button" className="pf-link pf-fix font-medium" onClick={() => setAsking(true)}>
        Less by percent …
      </button>
      {isAsking && (
        <PercentDialog
          onClose={() => setAsking(false)}
          onTake={(by) =>
            fill((line) => changePrice(toAmount(listCents(line)), { kind: 'percent', by: -by }))
          }
        />
      )}
    </div>
  );
}

function PercentDialog({ onClose, onTake }: { onClose: () => void; onTake: (percent: number) => void }) {
  const [error, setError] = useState<string>();
  const send = ({ percent = '' }) => {
    const by = Number(percent.replace('%', '').replace(',', '.'));
    if (!(by > 0 && by < 100)) return setError('Must be a percent between 0 and 100');
    onTake(by);
    onClose();
  };
  return (
    <FormDialog
      title="Less by percent"
      confirm="Fill in all prices"
      state={{ isPending: false, error: null }}
      onClose={onClose}
      onSend={send}
    >
      {() => (
        <Field
          label="Percent"
          name="percent"
          hint="Of the list’s price for the pieces of each line"
          error={error}
          inputMode="decimal"
          autoComplete="off"
          data-focus-first
        />
      )}
    </FormDialog>
  );
}

/** The total of the answer, and how much less it is than the list's. */
function Sum({ lines, priceOf }: { lines: readonly QuoteLine[] } & Pick<Prices, 'priceOf'>) {
  const listed = sumListed(lines);
  const saved = lines.reduce((sum, line) => {
    const price = priceOf(line);
    return sum + (price === undefined ? 0 : line.quantity * Math.max(0, listCents(line) - toCents(price)));
  }, 0);
  return (
    <p className="num" aria-live="polite">
      {lines.length === 1 ? 'The line' : `All ${lines.length} lines`}:{' '}
      <strong>{formatCents(listed - saved)}</strong>
      {saved > 0 && `, ${formatCents(saved)} or ${((100 * saved) / listed).toFixed(1)} % less than the list`}
    </p>
  );
}

/** All requests of the page share the mutation, so that the answered one's row may go. */
function followAnswer({ variables, error, isPending }: AnswerFormProps['answering'], { _id }: Quote) {
  const isOwn = variables?.quote._id === _id;
  return { error: isOwn ? error : null, busy: isOwn && isPending, isOther: isPending && !isOwn };
}

interface AnswerFootProps extends AnswerFormProps {
  prices: Prices;
}

const toBody = ({ priced, priceOf }: Prices, { until, note }: AnswerDraft) => ({
  lines: priced.map((line) => ({
    productId: line.product._id,
    fromQuantity: line.quantity,
    price: priceOf(line) ?? 0,
  })),
  until,
  ...(note.trim() && { note }),
});

function AnswerFoot({ quote, draft, onDraft, answering, onDecline, prices }: AnswerFootProps) {
  const { priced, priceOf, noteOf, refusal } = prices;
  const { until, note } = draft;
  const [isAsking, setAsking] = useState(false);
  const hintId = useId();
  const { error, busy, isOther } = followAnswer(answering, quote);
  const errors = error instanceof ShopProblem ? error.errors : [];
  const untilError = errors.find(({ path }) => path === 'until')?.message;
  const halves = priced.filter((line) => noteOf(line) === 'half');
  const send = () => {
    setAsking(false);
    const body = toBody(prices, draft);
    const next = document.getElementById(hintId)?.closest('tr')?.nextElementSibling;
    answering.mutate(
      { quote, body },
      {
        onSuccess: () => {
          toast('success', `Q-${quote.number} is answered`);
          focusFold(next);
        },
      },
    );
  };
  return (
    <form
      className="foot-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (halves.length > 0) setAsking(true);
        else send();
      }}
    >
      <Field
        label="Valid until, the day included"
        type="date"
        className="w-44"
        defaultValue={until}
        onChange={(event) => onDraft({ ...draft, until: event.target.value })}
        error={untilError}
      />
      <div className="grow">
        <Field
          label="Note to the customer"
          maxLength={MAX_QUOTE_NOTE}
          value={note}
          onChange={(event) => onDraft({ ...draft, note: event.target.value })}
        />
      </div>
      <div className="acts">
        <Button kind="danger-line" size="bar" onClick={onDecline}>
          Decline
        </Button>
        <Button
          type="submit"
          kind="primary"
          size="bar"
          busy={busy}
          busyLabel="Answering…"
          disabled={priced.length === 0 || refusal !== null || isOther}
          aria-describedby={hintId}
        >
          Answer {formatCount(priced.length, 'price')}
        </Button>
      </div>
      <FormRefusal refusal={refusal} />
      <FormError error={untilError ? null : error} className="w-full" />
      <p id={hintId} className="w-full text-sm text-muted [overflow-wrap:anywhere]">
        The prices stand in the customer’s batch until the end of this day, in the shop’s time. One mail goes
        to {quote.customer.email}.
      </p>
      {isAsking && (
        <PriceQuestion
          moves={halves.map(
            (line) =>
              `${line.product.number}: ${formatCents(listCents(line))} → ${formatAmount(priceOf(line) ?? 0)}`,
          )}
          onClose={() => setAsking(false)}
          onConfirm={send}
        />
      )}
    </form>
  );
}
