import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import type { ReactNode } from 'react';
import { FoldButton, type RowDetail, type WorkColumn, WorkTable } from '#app/rows/work-table.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { formatRecent } from '#app/ui/format-moment.ts';
import { CustomerLink } from '#app/users/customer-link.tsx';
import { payCents, QuoteLines, sumListed } from './quote-lines.tsx';

interface QuotesTableProps {
  caption: string;
  quotes: readonly Quote[];
  /** The rows still belong to the previous filter. */
  busy?: boolean;
  /** Whether they are the reader's own. */
  isOwn?: boolean;
  renderAct: (quote: Quote, row: RowDetail) => ReactNode;
  /** Of an open row; by default the lines of its request. */
  renderDetail?: (quote: Quote) => ReactNode;
}

/** Requests for prices; a row opens to its lines. */
export function QuotesTable({ caption, quotes, busy = false, isOwn = false, ...render }: QuotesTableProps) {
  const columns: WorkColumn<Quote>[] = [
    {
      head: isOwn ? 'Request' : 'Customer',
      place: 'part',
      cell: (quote, row) => <QuoteName quote={quote} isOwn={isOwn} {...row} />,
    },
    {
      head: 'Asked',
      place: 'who',
      cell: ({ askedAt }) => <span className="num">{formatRecent(askedAt)}</span>,
    },
    { head: 'Lines', place: 'qty', right: true, cell: ({ lines }) => formatPieces(lines.length) },
    { head: 'At list price', place: 'sum', right: true, cell: ({ lines }) => formatCents(sumListed(lines)) },
    {
      head: 'Wishes',
      place: 'qty',
      right: true,
      cell: ({ lines }) => lines.filter(({ wished }) => wished !== undefined).length || '–',
    },
    {
      head: 'Action',
      place: 'act',
      cell: (quote, row) => <span>{render.renderAct(quote, row)}</span>,
    },
  ];
  return (
    <WorkTable
      kind="quotes"
      caption={caption}
      columns={columns}
      rows={quotes}
      busy={busy}
      nameRow={({ number }) => `request Q-${number}`}
      renderDetail={(quote) => render.renderDetail?.(quote) ?? <AnsweredLines quote={quote} />}
    />
  );
}

interface QuoteNameProps extends RowDetail {
  quote: Quote;
  isOwn: boolean;
}

const QuoteName = ({ quote, isOwn, ...row }: QuoteNameProps) => (
  <span>
    <FoldButton label={`Lines of Q-${quote.number}`} {...row} />
    <span>
      {!isOwn && <CustomerLink {...quote.customer} />}
      <span className={isOwn ? 'num line' : 'num sub'}>Q-{quote.number}</span>
      {isOwn && <span className="sub">{quote.state}</span>}
    </span>
  </span>
);

/** Focuses the button that opens a row, unless the user types elsewhere. */
export const focusFold = (row: Element | null | undefined) => {
  if (!document.activeElement?.matches('input')) row?.querySelector<HTMLElement>('.pf-fold')?.focus();
};

function AnsweredLines({ quote }: { quote: Quote }) {
  const { number, state, lines, note, answerNote, until } = quote;
  return (
    <div className="pf-answer">
      <div className="said">
        {note && <blockquote>“{note}”</blockquote>}
        {answerNote && <blockquote>Answer: “{answerNote}”</blockquote>}
      </div>
      <QuoteLines
        caption={`Lines of Q-${number}`}
        lines={lines}
        priceHead="Price"
        renderWish={(line, wished) => formatCents(payCents(line, wished))}
        renderPrice={(line) =>
          line.prices.map(({ price }) => formatCents(payCents(line, price))).join(', ') || '–'
        }
        findCents={(line) => {
          const [first] = line.prices;
          if (first) return payCents(line, first.price);
          return state === 'asked' ? undefined : null;
        }}
        after={until && <p className="num">Valid until {formatDay(until, 'UTC')}</p>}
      />
    </div>
  );
}
