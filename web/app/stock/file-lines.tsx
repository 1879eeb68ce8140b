import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { findPriceJump, PRICE_JUMP } from '@parts-forge/contract/money/pricing';
import { IMPORT_PAGE, type Import } from '@parts-forge/contract/products/catalogue';
import { CircleAlert, TriangleAlert } from 'lucide';
import { type ReactNode, useRef, useState } from 'react';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { countApplied, countLines } from './queries.ts';
import { Stage } from './stage.tsx';

interface FileLinesProps {
  found: Import;
  lines: Import['lines'];
  /** The kind whose lines are listed; null for all. */
  only: string | null;
  /** Whether those lines are not read yet. */
  busy: boolean;
  onChoose: (only: string | null) => void;
  /** Stands below the lines. */
  children: ReactNode;
}

/** What the file changes: figures, problems, and the lines. */
export function FileLines({ found, lines, only, busy, onChoose, children }: FileLinesProps) {
  const isPreview = found.state === 'preview';
  return (
    <Stage
      aria-busy={busy || undefined}
      at={isPreview ? 3 : undefined}
      title={isPreview ? 'What will change' : 'What was in the file'}
      said={isPreview && 'Nothing is changed yet'}
    >
      <Tally found={found} />
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

/** The sum of the figures is the number of lines, also while they are applied. */
function Tally({ found }: Found) {
  const { counts, state } = found;
  const leftOut = counts.refused + counts.leftOut;
  const toDo = countLines(found) - counts.done;
  const figures =
    state === 'preview'
      ? { 'to change': counts.changed, new: counts.new }
      : { changed: countApplied(found), 'to change': toDo };
  return (
    <dl className="num pf-tally" data-wrong={leftOut > 0}>
      {Object.entries({ ...figures, unchanged: counts.unchanged, 'left out': leftOut }).map(
        ([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatPieces(count)}</dd>
          </div>
        ),
      )}
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
    <section className="pf-errors" aria-labelledby="problems" role="alert">
      <div className="top">
        <h3 ref={heading} id="problems" className="outline-none" tabIndex={-1}>
          <Icon of={CircleAlert} className="size-4" />
          {formatCount(lines, 'line')} {lines === 1 ? 'is' : 'are'} left out
        </h3>
        <DownloadButton size="row" file={{ what: 'import', import: _id, part: 'problems' }}>
          Problems as a file
        </DownloadButton>
      </div>
      <dl className="num">
        {problems.slice(0, isWhole ? undefined : FIRST_PROBLEMS).map(({ line, column, message }, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may have two problems of a column.
            key={index}
          >
            <dt>Line {line}</dt>
            <dd>{column}</dd>
            <dd>{message}</dd>
          </div>
        ))}
      </dl>
      {!isWhole && problems.length > FIRST_PROBLEMS && (
        <button type="button" className="pf-link" onClick={showAll}>
          {problems.length === IMPORT_PAGE
            ? `The first ${IMPORT_PAGE} problems`
            : formatCount(problems.length - FIRST_PROBLEMS, 'more problem')}
        </button>
      )}
      {isWhole && problems.length === IMPORT_PAGE && (
        <p>The first {IMPORT_PAGE} are shown; the file has all.</p>
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
    <fieldset className="pf-sift" aria-label="Show changes of">
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
    </fieldset>
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
    <li className="pf-change">
      <span>{column}</span> {was !== '' && <del dir="auto">{was}</del>} <b dir="auto">{will}</b>{' '}
      {jump !== null && (
        <em>
          <Icon of={TriangleAlert} className="size-3.5" />
          {`${Math.abs(jump)} % ${jump < 0 ? 'less' : 'more'}`}
        </em>
      )}
    </li>
  );
}
