import { LOW_STOCK_MINIMUM_ORDERS } from '@parts-forge/contract/calls/bounds';
import type { StockMove } from '@parts-forge/contract/events/trail';
import { formatPieces } from '@parts-forge/contract/money/money';
import { formatChange } from '#app/ui/signed.ts';
import { chooseScale, listSteps, type StockStep } from './ledger-figures.ts';
import type { LedgerPeriod } from './queries.ts';

interface StockChartProps {
  period: LedgerPeriod;
  /** The current stock, in pieces. */
  stock: number;
  minimumOrder: number;
}

/** In units of the drawing. */
const WIDTH = 1000;
/** Limit of labelled restocks, largest first. */
const LABELS = 5;

interface Scale {
  /** From 0 to 1. */
  share: (atMs: number) => number;
  /** Gives a share of the drawing's height. */
  height: (pieces: number) => string;
  /** Pieces at the top line. */
  top: number;
}

const percent = (part: number) => `${(100 * part).toFixed(2)}%`;

/** Decorative: the table of movements has the same data. */
export function StockChart({ period, stock, minimumOrder }: StockChartProps) {
  const { sinceMs, untilMs, moves } = period;
  const steps = listSteps(moves, sinceMs, stock);
  const low = minimumOrder * LOW_STOCK_MINIMUM_ORDERS;
  const highest = Math.max(...steps.map((step) => step.stock));
  // A line far above every stock would flatten the steps.
  const { top, lines } = chooseScale(low <= 4 * highest ? Math.max(highest, low) : highest);
  const scale: Scale = {
    share: (atMs) => Math.min(1, Math.max(0, (atMs - sinceMs) / (untilMs - sinceMs))),
    height: (pieces) => percent(1 - pieces / top),
    top,
  };
  return (
    <div className="num text-micro" aria-hidden="true">
      <div className="ml-16 mr-16 h-64 pt-4 max-sm:mr-2">
        <svg width="100%" height="100%" className="overflow-visible" aria-hidden="true">
          <ScaleLines lines={lines} scale={scale} />
          <Steps steps={steps} scale={scale} />
          {low <= top && <LowLine y={scale.height(low)} />}
          <LargestRestocks moves={moves} scale={scale} />
          <svg x="100%" y={scale.height(stock)} className="overflow-visible" aria-hidden="true">
            <rect x="-4" y="-4" width="8" height="8" transform="rotate(45)" className="fill-primary" />
            <text x="12" dy="0.35em" className="fill-base-content text-sm font-semibold max-sm:hidden">
              {formatPieces(stock)}
            </text>
          </svg>
        </svg>
      </div>
      <ChartDays sinceMs={sinceMs} untilMs={untilMs} />
    </div>
  );
}

function ScaleLines({ lines, scale: { height } }: { lines: readonly number[]; scale: Scale }) {
  return lines.map((pieces) => (
    <g key={pieces}>
      <line
        x1="0"
        x2="100%"
        y1={height(pieces)}
        y2={height(pieces)}
        className={pieces === 0 ? 'stroke-edge' : 'stroke-base-300'}
      />
      <text x="-12" y={height(pieces)} dy="0.32em" textAnchor="end" className="fill-muted">
        {formatPieces(pieces)}
      </text>
    </g>
  ));
}

function Steps({ steps, scale: { share, top } }: { steps: readonly StockStep[]; scale: Scale }) {
  const path = steps
    .map(({ atMs, stock }, index) => {
      const x = (share(atMs) * WIDTH).toFixed(1);
      return index === 0 ? `M${x} ${top - stock}` : `H${x}V${top - stock}`;
    })
    .join('');
  return (
    <svg
      width="100%"
      height="100%"
      viewBox={`0 0 ${WIDTH} ${top}`}
      preserveAspectRatio="none"
      fill="none"
      aria-hidden="true"
    >
      <path d={`${path}H${WIDTH}V${top}H0Z`} className="fill-base-content" fillOpacity={0.05} />
      <path
        d={`${path}H${WIDTH}`}
        className="stroke-base-content"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

function LowLine({ y }: { y: string }) {
  return (
    <>
      <line x1="0" x2="100%" y1={y} y2={y} strokeDasharray="4 3" className="stroke-error" />
      <text x="8" y={y} dy="1.25em" className="fill-error">
        Low stock, {LOW_STOCK_MINIMUM_ORDERS} minimum orders
      </text>
    </>
  );
}

function LargestRestocks({ moves, scale }: { moves: readonly StockMove[]; scale: Scale }) {
  return listLargestRestocks(moves).map(({ at, change, balance }) => (
    <text
      key={at}
      x={percent(scale.share(Date.parse(at)))}
      y={scale.height(balance)}
      dy="-0.6em"
      textAnchor="middle"
      className="fill-muted"
    >
      {formatChange(change)}
    </text>
  ));
}

const listLargestRestocks = (moves: readonly StockMove[]): StockMove[] =>
  moves
    .filter(({ kind, change }) => kind === 'restock' && change > 0)
    .sort((one, other) => other.change - one.change)
    .slice(0, LABELS);

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

function ChartDays({ sinceMs, untilMs }: { sinceMs: number; untilMs: number }) {
  const shares = [0, 0.25, 0.5, 0.75, 1];
  return (
    <div className="ml-16 mr-16 mt-2 flex justify-between text-muted max-sm:mr-2">
      {shares.map((share) => (
        <span key={share} className={`w-0 whitespace-nowrap ${share % 0.5 === 0 ? '' : 'max-sm:invisible'}`}>
          <span className="block w-16 -translate-x-1/2 text-center">
            {day.format(sinceMs + share * (untilMs - sinceMs))}
          </span>
        </span>
      ))}
    </div>
  );
}
