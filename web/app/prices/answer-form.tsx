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
import { FormError } from '#app/forms/form-error.tsx';
import { ShopProblem } from '#app/http/errors.ts';
import { PriceQuestion } from '#app/products/edit/price-question.tsx';
import { changePrice } from '#app/products/manage/change-price.ts';
import { Button } from '#app/ui/button.tsx';
import { DayInput } from '#app/ui/day-input.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Field, FieldError } from '#app/ui/field.tsx';
import { PriceInput, readPriceText, refusePriceText } from './price-input.tsx';
import { useAnswerQuote, useDeclineQuote } from './queries.ts';
import { listCents, type QuoteLine, QuoteLines, sumListed } from './quote-lines.tsx';

/** How long prices hold by default. */
const DEFAULT_DAYS = 30;

type Answer = ReturnType<typeof useAnswer>;

/** Prices of a request; empty means the list's. */
function useAnswer({ _id, lines }: Quote) {
  /** Texts by part. */
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [until, setUntil] = useState(() => addDays(new Date().toISOString().slice(0, 10), DEFAULT_DAYS));
  const [note, setNote] = useState('');
  const answering = useAnswerQuote(_id);
  const textOf = ({ product }: QuoteLine) => texts[product._id] ?? '';
  const priceOf = (line: QuoteLine) => readPriceText(textOf(line));
  const noteOf = (line: QuoteLine) => {
    const price = priceOf(line);
    return price === undefined ? null : noteAgreedPrice(price, line.quantity, line.product);
  };
  /** Undefined keeps a text. */
  const fill = (price: (line: QuoteLine) => number | undefined) =>
    setTexts((before) => {
      const filled = lines.flatMap((line) => {
        const amount = price(line);
        return amount === undefined ? [] : [[line.product._id, writeAmount(amount)]];
      });
      return { ...before, ...Object.fromEntries(filled) };
    });
  const priced = lines.filter((line) => priceOf(line) !== undefined);
  const send = () =>
    answering.mutate({
      lines: priced.map((line) => ({
        productId: line.product._id,
        fromQuantity: line.quantity,
        price: priceOf(line) ?? 0,
      })),
      until,
      ...(note.trim() && { note }),
    });
  return {
    ...answering,
    textOf,
    priceOf,
    noteOf,
    fill,
    setText: ({ product }: QuoteLine, text: string) => setTexts({ ...texts, [product._id]: text }),
    until,
    setUntil,
    note,
    setNote,
    priced,
    /** The first line with a text that is no price; it may be among those that are not shown yet. */
    refused: lines.find((line) => refusePriceText(textOf(line))),
    send,
  };
}

export function AnswerForm({ quote }: { quote: Quote }) {
  const { number, lines, note } = quote;
  const answer = useAnswer(quote);
  return (
    <div className="pf-answer">
      <div className="said">
        <blockquote>{note && `“${note}”`}</blockquote>
        <Fill lines={lines} answer={answer} />
      </div>
      <QuoteLines
        caption={`Lines of Q-${number} and your prices`}
        lines={lines}
        renderWish={(line) => (
          <button
            type="button"
            className="pf-link pf-fix"
            aria-label={`Take the wish ${formatAmount(line.wished ?? 0)}`}
            onClick={() => answer.setText(line, writeAmount(line.wished ?? 0))}
          >
            {formatAmount(line.wished ?? 0)}
          </button>
        )}
        priceHead="Your price"
        renderPrice={(line) => (
          <PriceInput
            label={`Your price for ${line.product.name}`}
            placeholder="list"
            text={answer.textOf(line)}
            note={answer.noteOf(line) === 'above' && 'Above the list: the list’s price counts'}
            onChange={(text) => answer.setText(line, text)}
          />
        )}
        findCents={(line) => {
          const price = answer.priceOf(line);
          return price === undefined ? null : toCents(price);
        }}
        after={<Sum lines={lines} priceOf={answer.priceOf} />}
      />
      <AnswerFoot quote={quote} answer={answer} />
    </div>
  );
}

function Fill({ lines, answer }: { lines: readonly QuoteLine[]; answer: Answer }) {
  const [isAsking, setAsking] = useState(false);
  const wishes = lines.filter(({ wished }) => wished !== undefined).length;
  return (
    <div>
      {wishes > 0 && (
        <button
          type="button"
          className="pf-link pf-fix font-medium"
          onClick={() => answer.fill(({ wished }) => wished)}
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
            answer.fill((line) => changePrice(toAmount(listCents(line)), { kind: 'percent', by: -by }))
          }
        />
      )}
    </div>
  );
}

function PercentDialog({ onClose, onTake }: { onClose: () => void; onTake: (percent: number) => void }) {
  const [text, setText] = useState('');
  const percent = Number(text.replace('%', '').replace(',', '.'));
  return (
    <ConfirmDialog
      title="Less by percent"
      safe="Not now"
      confirm="Fill in all prices"
      kind="primary"
      disabled={!(percent > 0 && percent < 100)}
      onClose={onClose}
      onConfirm={() => {
        onTake(percent);
        onClose();
      }}
    >
      <Field
        label="Percent"
        hint="Of the list’s price for the pieces of each line"
        inputMode="decimal"
        value={text}
        onChange={(event) => setText(event.target.value)}
        data-focus-first
      />
    </ConfirmDialog>
  );
}

/** Of the answer against the list. */
function Sum({ lines, priceOf }: { lines: readonly QuoteLine[] } & Pick<Answer, 'priceOf'>) {
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

function AnswerFoot({ quote, answer }: { quote: Quote; answer: Answer }) {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const declining = useDeclineQuote(quote._id);
  const { refused } = answer;
  const halves = answer.priced.filter((line) => answer.noteOf(line) === 'half');
  const errors = answer.error instanceof ShopProblem ? answer.error.errors : [];
  const untilError = errors.find(({ path }) => path === 'until')?.message;
  return (
    <form
      className="foot-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (halves.length > 0) setAsking(true);
        else answer.send();
      }}
    >
      <Terms answer={answer} untilError={untilError} />
      <div className="acts">
        <DeclineButton quote={quote} note={answer.note} declining={declining} />
        <Button
          type="submit"
          kind="primary"
          size="bar"
          busy={answer.isPending}
          busyLabel="Answering…"
          disabled={answer.priced.length === 0 || refused !== undefined}
        >
          Answer {formatCount(answer.priced.length, 'price')}
        </Button>
      </div>
      {refused && (
        <div className="w-full">
          <FieldError>{`${refused.product.number}: ${refusePriceText(answer.textOf(refused))}`}</FieldError>
        </div>
      )}
      <FormError error={untilError ? null : (answer.error ?? declining.error)} className="w-full" />
      {isAsking && (
        <PriceQuestion
          moves={halves.map(
            (line) =>
              `${line.product.number}: ${formatCents(listCents(line))} → ${formatAmount(answer.priceOf(line) ?? 0)}`,
          )}
          onClose={close}
          onConfirm={() => {
            close();
            answer.send();
          }}
        />
      )}
    </form>
  );
}

/** How long the prices hold, and the note. */
function Terms({ answer, untilError }: { answer: Answer; untilError: string | undefined }) {
  const id = useId();
  return (
    <>
      <div className="pf-field">
        <label htmlFor={id}>Valid until, the day included</label>
        <DayInput id={id} day={answer.until} onChoose={answer.setUntil} className="input w-44" />
        {untilError && <FieldError>{untilError}</FieldError>}
      </div>
      <div className="grow">
        <Field
          label="Note to the customer"
          maxLength={MAX_QUOTE_NOTE}
          value={answer.note}
          onChange={(event) => answer.setNote(event.target.value)}
        />
      </div>
    </>
  );
}

interface DeclineButtonProps {
  quote: Quote;
  note: string;
  declining: ReturnType<typeof useDeclineQuote>;
}

function DeclineButton({ quote, note, declining }: DeclineButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Button kind="danger-line" size="bar" busy={declining.isPending} onClick={() => setAsking(true)}>
        Decline
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Decline Q-${quote.number}?`}
          safe="Keep it"
          confirm="Decline"
          onClose={close}
          onConfirm={() => {
            close();
            declining.mutate(note);
          }}
        >
          The list’s prices stay. <bdi>{quote.customer.name}</bdi> gets a mail with your note.
        </ConfirmDialog>
      )}
    </>
  );
}
