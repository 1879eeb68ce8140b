import { PAGE_SIZE } from '@parts-forge/contract/calls/bounds';
import { STOCK_KINDS, type StockKind } from '@parts-forge/contract/events/trail-events';
import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import type { Product } from '@parts-forge/contract/products/products';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { ListFooter } from '#app/dashboard/list-footer.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { joinQueries, PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { useSearchChange } from '#app/dashboard/use-search-text.ts';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { useStockDialog } from '#app/products/manage/use-stock-dialog.tsx';
import { editPath } from '#app/products/product-paths.ts';
import { productQueryOptions } from '#app/products/queries.ts';
import { Thumbnail } from '#app/products/thumbnail.tsx';
import { BackLink } from '#app/ui/back-link.tsx';
import { Button } from '#app/ui/button.tsx';
import { Choice } from '#app/ui/choice.tsx';
import { Fact } from '#app/ui/fact.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { formatChange } from '#app/ui/signed.ts';
import type { Route } from './+types/stock-ledger';
import {
  computeDaysLeft,
  countOrdered,
  DAY_MS,
  DEFAULT_PERIOD,
  findOpening,
  listSince,
  PACE_DAYS,
  PERIODS,
  type Period,
  sumKinds,
} from './ledger-figures.ts';
import { kindNames, LedgerTable } from './ledger-table.tsx';
import { type LedgerPeriod, ledgerQueryOptions } from './queries.ts';
import { StockChart } from './stock-chart.tsx';

export const clientLoader = ({ params }: Route.ClientLoaderArgs) => prefetch(productQueryOptions(params.id));

/** The address holds period and kind. */
export default function StockLedger({ params: { id } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const days = readPeriod(search);
  const product = useQuery(productQueryOptions(id));
  const ledger = useQuery(ledgerQueryOptions(id, days));
  const dialog = useStockDialog();
  const part = product.data;
  return (
    <>
      <PageHeading
        title="Stock ledger"
        above={<BackLink to="/dashboard/manage-products">Manage Products</BackLink>}
        actions={part && <LedgerActions part={part} dialog={dialog} />}
      />
      <QueryPanel
        query={joinQueries(product, ledger)}
        what="The ledger"
        skeleton={<PanelsSkeleton heights={['h-[50rem]']} />}
      >
        {([shown, period]) => <Ledger product={shown} period={period} days={days} />}
      </QueryPanel>
      {dialog.dialog}
    </>
  );
}

interface LedgerActionsProps {
  part: Product;
  dialog: ReturnType<typeof useStockDialog>;
}

function LedgerActions({ part, dialog }: LedgerActionsProps) {
  return (
    <div className="flex flex-wrap gap-3 max-sm:w-full">
      <DownloadButton
        file={{ what: 'stock', filters: { product: part._id } }}
        className="bg-base-100 max-sm:w-full"
      >
        Export CSV
      </DownloadButton>
      <Button
        kind="line"
        size="bar"
        className="bg-base-100 max-sm:flex-1"
        onClick={() => dialog.correct(part)}
      >
        Correct stock
      </Button>
      <Button kind="primary" size="bar" className="px-5 max-sm:flex-1" onClick={() => dialog.add(part)}>
        Restock
      </Button>
    </div>
  );
}

const readPeriod = (search: URLSearchParams): Period =>
  PERIODS.find((days) => String(days) === search.get('days')) ?? DEFAULT_PERIOD;
const readKind = (search: URLSearchParams): StockKind | null =>
  STOCK_KINDS.find((kind) => kind === search.get('kind')) ?? null;

function Ledger({ product, period, days }: { product: Product; period: LedgerPeriod; days: Period }) {
  // The ledger may be newer than the part.
  const stock = period.moves[0]?.balance ?? product.quantity;
  return (
    <>
      <PartFigures product={product} stock={stock} period={period} />
      <figure className="pf-panel mt-6 p-6" aria-labelledby="chart">
        <figcaption className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h2 id="chart" className="display text-h4">
            Stock
          </h2>
          <PeriodChoice days={days} />
        </figcaption>
        <StockChart period={period} stock={stock} minimumOrder={product.minimumOrder} />
        {period.isCut && (
          <p className="mt-4 text-sm text-muted">
            There were more movements than are shown: the latest {formatPieces(period.moves.length)}, since{' '}
            {formatDay(new Date(period.sinceMs).toISOString())}.
          </p>
        )}
      </figure>
      <Movements period={period} stock={stock} days={days} />
    </>
  );
}

function PartFigures({ product, stock, period }: { product: Product; stock: number; period: LedgerPeriod }) {
  const { untilMs, isCut } = period;
  const monthMs = untilMs - PACE_DAYS * DAY_MS;
  // A busy part's ledger may be cut: the pace then covers the loaded time.
  const isShort = isCut && period.sinceMs > monthMs;
  const sinceMs = isShort ? period.sinceMs : monthMs;
  const since = formatMoment(new Date(sinceMs).toISOString());
  const ordered = countOrdered(listSince(period.moves, sinceMs));
  const daysLeft = computeDaysLeft(stock, ordered, (untilMs - sinceMs) / DAY_MS);
  return (
    <section className="pf-panel" aria-labelledby="part">
      <div className="flex flex-wrap items-center gap-4 p-6 pb-5">
        <Thumbnail image={product.image} />
        <div className="min-w-0">
          <h2 id="part" className="font-semibold [overflow-wrap:anywhere]">
            <Link className="hover:text-primary hover:underline" to={editPath(product)}>
              {product.name}
            </Link>
          </h2>
          <p className="num text-sm text-muted [overflow-wrap:anywhere]">{product.number}</p>
        </div>
      </div>
      <div className="border-t border-base-300">
        <dl className="pf-block [--cells:4]">
          <Fact name="In stock">{formatPieces(stock)}</Fact>
          <Fact name="Held, not paid yet">{formatPieces(period.held)}</Fact>
          <Fact name={isShort ? `Ordered since ${since}` : `Ordered in ${PACE_DAYS} days`}>
            {formatPieces(ordered)}
          </Fact>
          <Fact name="Lasts, at that pace">{daysLeft === null ? '–' : describeDays(daysLeft)}</Fact>
        </dl>
        {isShort && (
          <p className="border-t border-base-300 px-6 py-4 text-sm text-muted">
            There were more movements in {PACE_DAYS} days than are read. Pace and pieces ordered are those of
            the latest {formatPieces(period.moves.length)}.
          </p>
        )}
      </div>
    </section>
  );
}

/** A pace of thirty days predicts no years. */
function describeDays(days: number): string {
  if (days > 365) return 'over a year';
  return formatCount(days, 'day');
}

const periodNames: Record<Period, string> = { 30: '30 days', 90: '90 days', 365: '1 year' };

function PeriodChoice({ days }: { days: Period }) {
  const choose = useSearchChange();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot stand in a line with its heading.
    <div className="flex gap-2" role="group" aria-label="Period">
      {PERIODS.map((period) => (
        <button
          key={period}
          type="button"
          className="pf-choice !h-9 !px-3 !text-sm"
          aria-pressed={period === days}
          onClick={() => choose('days', period === DEFAULT_PERIOD ? '' : String(period))}
        >
          {periodNames[period]}
        </button>
      ))}
    </div>
  );
}

function Movements({ period, stock, days }: { period: LedgerPeriod; stock: number; days: Period }) {
  const id = useId();
  const [search] = useSearchParams();
  const kind = readKind(search);
  const [shown, setShown] = useState(PAGE_SIZE);
  const moves = kind === null ? period.moves : period.moves.filter((move) => move.kind === kind);
  return (
    <section className="mt-8" aria-labelledby={id}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id={id} className="display text-h3">
          Movements
        </h2>
        <KindChoice kind={kind} />
      </div>
      <PeriodSums period={period} stock={stock} />
      {moves.length === 0 ? (
        <p className="pf-panel mt-4 p-6 text-muted">
          No movement of this kind in {periodNames[days]}. There are {formatPieces(stock)} in stock.
        </p>
      ) : (
        <div className="mt-4">
          <LedgerTable moves={moves.slice(0, shown)} stock={stock} />
          <ListFooter
            shown={Math.min(shown, moves.length)}
            total={`${formatPieces(moves.length)} movements in ${periodNames[days]}`}
            hasMore={moves.length > shown}
            isPaged={shown > PAGE_SIZE}
            busy={false}
            error={null}
            onMore={() => setShown(shown + PAGE_SIZE)}
          />
        </div>
      )}
    </section>
  );
}

function KindChoice({ kind }: { kind: StockKind | null }) {
  const choose = useSearchChange();
  return (
    <Choice label="Movement" value={kind ?? ''} onChange={(value) => choose('kind', value)}>
      <option value="">All</option>
      {STOCK_KINDS.map((each) => (
        <option key={each} value={each}>
          {kindNames[each]}
        </option>
      ))}
    </Choice>
  );
}

/** The opening and the moves add up to the stock. */
function PeriodSums({ period: { moves, sinceMs }, stock }: { period: LedgerPeriod; stock: number }) {
  return (
    <dl className="pf-panel pf-block md:auto-cols-fr md:grid-flow-col md:grid-cols-none">
      <Fact name={`Opening, ${formatDay(new Date(sinceMs).toISOString())}`}>
        {formatPieces(findOpening(moves, stock))}
      </Fact>
      {[...sumKinds(moves)].map(([kind, change]) => (
        <Fact key={kind} name={kindNames[kind]}>
          {formatChange(change)}
        </Fact>
      ))}
    </dl>
  );
}
