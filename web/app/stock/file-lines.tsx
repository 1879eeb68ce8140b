import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { findPriceJump, PRICE_JUMP } from '@parts-forge/contract/money/pricing';
import { IMPORT_PAGE, type Import } from '@parts-forge/contract/products/catalogue';
import { CircleAlert, TriangleAlert } from 'lucide';
import { type ReactNode, useRef, useState } from 'react';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { countLines } from './queries.ts';
import { Stage } from './stage.tsx';

interface FileLinesProps {
  found: Import;
  lines: Import['lines'];
  /** The kind whose lines are listed; null for all. */
  only: string | null;
  onChoose: (only: string | null) => void;
  /** Below the lines. */
  children: ReactNode;
}

/** What the file changes: figures, problems, and the lines. */
export function FileLines({ found, lines, only, onChoose, children }: FileLinesProps) {
  const isPreview = found.state === 'preview';
  return (
    <Stage
      at={isPreview ? 3 : undefined}
      title={isPreview ? 'What will change' : 'What was in the file'}
      said={isPreview && 'Nothing is changed yet'}
    >
      <Tally counts={found.counts} />
      <Problems found={found} />
      <Kinds found={found} only={only} onChoose={onChoose} />
      {lines.length > 0 && (
        <Table
          className="pf-dense pf-changes"
          caption="Changes"
          columns={columns}
          rows={lines}
          getKey={({ line }) => String(line)}
        />
      )}
      {children}
    </Stage>
  );
}

interface Found {
  found: Import;
}

function Tally({ counts }: Pick<Import, 'counts'>) {
  const leftOut = counts.refused + counts.leftOut;
  const figures = { 'to change': counts.changed, new: counts.new, unchanged: counts.unchanged };
  return (
    <dl className="num pf-tally" data-wrong={leftOut > 0}>
      {Object.entries({ ...figures, 'left out': leftOut }).map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatPieces(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What fits above the changes. */
const FIRST_PROBLEMS = 5;

/** Refused lines and those left out, by line and column. */
function Problems({ found: { _id, problems, counts } }: Found) {
  const lines = counts.refused + counts.leftOut;
  const [isWhole, setWhole] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const showAll = () => {
    setWhole(true);
    // The button disappears.
    heading.current?.focus();
  };
  if (lines === 0) return null;
  return (
    <section className="border-t border-base-300 bg-error/4" aria-labelledby="problems" role="alert">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-1.5 sm:px-5">
        <h3
          ref={heading}
          id="problems"
          className="flex items-center gap-2 font-semibold outline-none"
          tabIndex={-1}
        >
          <Icon of={CircleAlert} className="size-4 text-error" />
          {formatCount(lines, 'line')} {lines === 1 ? 'is' : 'are'} left out
        </h3>
        <DownloadButton size="row" file={{ what: 'import', import: _id, part: 'problems' }}>
          Problems as a file
        </DownloadButton>
      </div>
      <dl className="num text-[0.9375rem]">
        {problems.slice(0, isWhole ? undefined : FIRST_PROBLEMS).map(({ line, column, message }, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may have two problems of a column.
            key={index}
            className="grid min-h-10 content-center gap-x-6 border-t border-base-300 px-4 py-1.5 [overflow-wrap:anywhere] sm:grid-cols-[5rem_9rem_minmax(0,1fr)] sm:px-5"
          >
            <dt className="text-muted">Line {line}</dt>
            <dd className="font-medium">{column}</dd>
            <dd>{message}</dd>
          </div>
        ))}
      </dl>
      {!isWhole && problems.length > FIRST_PROBLEMS && (
        <button type="button" className="pf-link my-2 ml-4 min-h-6 sm:ml-5" onClick={showAll}>
          {problems.length === IMPORT_PAGE
            ? `The first ${IMPORT_PAGE} problems`
            : formatCount(problems.length - FIRST_PROBLEMS, 'more problem')}
        </button>
      )}
      {isWhole && problems.length === IMPORT_PAGE && (
        <p className="px-5 py-3 text-sm text-muted">The first {IMPORT_PAGE} are shown; the file has all.</p>
      )}
    </section>
  );
}

/** Buttons that list the lines of one kind alone. */
function Kinds({ found, only, onChoose }: Found & Pick<FileLinesProps, 'only' | 'onChoose'>) {
  const labels: Record<string, string> = {
    new: `new ${found.kind}`,
    'price-jump': `price changes by over ${PRICE_JUMP} %`,
  };
  const all = { name: null, lines: countLines(found) };
  if (found.kinds.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend would take a line.
    <div className="pf-sift" role="group" aria-label="Show changes of">
      {[all, ...found.kinds].map(({ name, lines }) => (
        <button
          key={name}
          type="button"
          className="pf-choice"
          aria-pressed={name === only}
          onClick={() => onChoose(name)}
        >
          {name === null ? 'All' : (labels[name] ?? name)} <span className="num">{formatPieces(lines)}</span>
        </button>
      ))}
    </div>
  );
}

type Line = Import['lines'][number];

const columns: Column<Line>[] = [
  {
    head: 'Part',
    cell: ({ number, name, isNew, ...line }) => (
      <span className="inline-block [overflow-wrap:anywhere] lg:min-w-60">
        <bdi>{name}</bdi>
        <span className="num block text-sm text-muted">{`${number}${isNew ? ', new' : ''}`}</span>
        {line.customer !== undefined && (
          <span className="num block text-sm text-muted">
            {`${line.customer}, from ${formatCount(line.from ?? 1, 'piece')}`}
          </span>
        )}
      </span>
    ),
  },
  { head: 'Line', right: true, cell: ({ line }) => line },
  {
    head: 'Old and new',
    cell: ({ changes, warning }) => (
      <ul className="num flex flex-wrap gap-x-6 [overflow-wrap:anywhere]">
        {changes.map((change) => (
          <Change key={change.column} {...change} />
        ))}
        {warning && <li className="text-error">{warning}</li>}
      </ul>
    ),
  },
];

function Change({ column, was, will }: Line['changes'][number]) {
  const jump = column === 'price' ? findPriceJump(was, will) : null;
  return (
    <li className="line-clamp-4">
      <span className="mr-1 text-micro text-muted">{column}</span>{' '}
      {was !== '' && (
        <del className="pf-was mr-1" dir="auto">
          {was}
        </del>
      )}{' '}
      <b className="font-semibold" dir="auto">
        {will}
      </b>{' '}
      {jump !== null && (
        <span className="ml-3 text-micro font-medium whitespace-nowrap text-warning">
          <Icon of={TriangleAlert} className="mr-1 inline size-3.5" />
          {`${Math.abs(jump)} % ${jump < 0 ? 'less' : 'more'}`}
        </span>
      )}
    </li>
  );
}
