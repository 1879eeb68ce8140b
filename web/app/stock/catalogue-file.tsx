import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { applyImport, IMPORT_PAGE, type Import } from '@parts-forge/contract/products/catalogue';
import {
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { callShop } from '#app/calls/api-client.ts';
import { ListFooter } from '#app/dashboard/list-footer.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { FormError } from '#app/forms/form-error.tsx';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Panel } from '#app/ui/panel.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { useFocusOnStep } from '#app/ui/use-focus-on-step.ts';
import { FilePanel } from './file-panel.tsx';
import { importQueryOptions, importsQueryOptions, sendFile } from './queries.ts';

/** File, columns, changes and result on one page. The address keeps the file, so a reload shows the same. */
export default function CatalogueFile() {
  const [search, setSearch] = useSearchParams();
  const id = search.get('import');
  const sending = useMutation({ mutationFn: sendFile });
  const discard = () => {
    sending.reset();
    setSearch({});
  };
  // The former preview goes, so that nobody applies it in place of this file.
  const send = (files: readonly File[]) => {
    setSearch({});
    // If two files are sent at once, the page shows the later one.
    sending.mutate(files, { onSuccess: ({ data }) => setSearch({ import: data._id }) });
  };
  const file = { busy: sending.isPending, onChoose: send };
  return (
    <>
      <PageHeading
        title="Catalogue by File"
        actions={
          <div className="flex flex-wrap gap-3">
            <DownloadButton file={{ what: 'catalogue', as: 'xlsx' }}>All parts (XLSX)</DownloadButton>
            <DownloadButton file={{ what: 'catalogue', as: 'csv' }}>All parts (CSV)</DownloadButton>
          </div>
        }
      />
      <FormError error={sending.error} className="mb-6" advice="Nothing is changed." />
      {id === null ? (
        <>
          <FilePanel name={null} {...file} />
          <LatestFiles />
        </>
      ) : (
        <ReadFile id={id} file={file} onDiscard={discard} />
      )}
    </>
  );
}

/** The way back to a result and the file that undoes it. */
function LatestFiles() {
  const query = useQuery(importsQueryOptions());
  return (
    <QueryPanel query={query} what="The latest files" skeleton={null}>
      {({ data: files }) => (
        <Panel heading="Latest files" className={files.length > 0 ? 'mt-6' : 'hidden'}>
          <ul className="text-[0.9375rem]">
            {files.map(({ _id, name, appliedAt, state, counts }) => (
              <li key={_id} className="flex flex-wrap gap-x-4 border-t border-base-300 py-2.5">
                <Link className="pf-link min-w-0 flex-1 truncate max-sm:basis-full" to={`?import=${_id}`}>
                  {name}
                </Link>
                <span className="num text-muted">
                  {formatPieces(counts.done - counts.leftOut)} changed
                  {counts.refused + counts.leftOut > 0 &&
                    `, ${formatPieces(counts.refused + counts.leftOut)} left out`}
                  {state === 'applying' && ', applying'}
                </span>
                <span className="num text-muted">{appliedAt && formatMoment(appliedAt)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </QueryPanel>
  );
}

interface ReadFileProps {
  id: string;
  file: Omit<Parameters<typeof FilePanel>[0], 'name'>;
  onDiscard: () => void;
}

function ReadFile({ id, file, onDiscard }: ReadFileProps) {
  const query = useInfiniteQuery(importQueryOptions(id));
  const queries = useQueryClient();
  const state = query.data?.pages[0]?.state;
  useEffect(() => {
    if (state === 'applied') void queries.invalidateQueries({ queryKey: ['products'] });
  }, [state, queries]);
  const area = useFocusOnStep<HTMLDivElement>(state === 'preview' ? 'preview' : 'result');
  const isPreview = state === 'preview';
  return (
    <QueryPanel
      query={query}
      what="The file"
      skeleton={<PanelsSkeleton heights={['h-40', 'h-80']} />}
      missing={<FilePanel name={null} {...file} />}
    >
      {({ pages }) => {
        const [found] = pages;
        if (!found) return <FilePanel name={null} {...file} />;
        return (
          <div ref={area} className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {isPreview ? (
              <FilePanel name={found.name} {...file} />
            ) : (
              <Result found={found} onNext={onDiscard} />
            )}
            {isPreview && <Columns found={found} />}
            {isPreview && found.notes.length > 0 && (
              <Banner kind="info" className="[overflow-wrap:anywhere]">
                {found.notes.join(' ')}
              </Banner>
            )}
            <ReadLines pages={pages} found={found} query={query} />
            {isPreview && <Apply found={found} onDiscard={onDiscard} />}
          </div>
        );
      }}
    </QueryPanel>
  );
}

interface ReadLinesProps {
  pages: readonly Import[];
  found: Import;
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
}

function ReadLines({ pages, found, query }: ReadLinesProps) {
  const lines = pages.flatMap((page) => page.lines);
  const isPreview = found.state === 'preview';
  return (
    <section aria-labelledby="changes">
      <h2 id="changes" className="display text-h3">
        {isPreview ? 'What will change' : 'What was in the file'}
      </h2>
      <p className="num mt-0.5 mb-4 text-muted">
        {`${describeCounts(found)}${isPreview ? ' Nothing is changed yet.' : ''}`}
      </p>
      <Problems found={found} />
      {lines.length > 0 && (
        <Table
          className="pf-dense"
          caption="Changes"
          columns={columns}
          rows={lines}
          getKey={({ line }) => String(line)}
        />
      )}
      <ListFooter
        shown={lines.length}
        total={formatPieces(countLines(found))}
        hasMore={query.hasNextPage}
        isPaged={pages.length > 1}
        busy={query.isFetchingNextPage}
        error={query.isFetchNextPageError ? query.error : null}
        onMore={query.fetchNextPage}
      />
    </section>
  );
}

interface Found {
  found: Import;
}

const countLines = ({ counts }: Import): number => counts.new + counts.changed;

const describeCounts = ({ counts }: Import): string =>
  `${(['new', 'changed', 'unchanged', 'refused'] as const).map((name) => `${formatPieces(counts[name])} ${name}`).join(', ')}.`;

function Columns({ found: { columns } }: Found) {
  return (
    <details className="pf-panel px-5 py-3">
      <summary className="cursor-pointer">
        <h2 className="inline font-semibold">Columns</h2>{' '}
        <span className="text-muted">{describeColumns(columns)}</span>
      </summary>
      <dl className="pf-spec text-[0.9375rem] sm:columns-2 sm:gap-8">
        {columns.map(({ name, column }) => (
          <div key={name} className="break-inside-avoid !py-1 [overflow-wrap:anywhere]">
            <dt>{name}</dt>
            <dd className={column === null ? 'text-muted !font-normal' : ''}>{column ?? 'not used'}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function describeColumns(columns: Import['columns']): string {
  const unused = columns.filter(({ column }) => column === null).map(({ name }) => `“${name}”`);
  const used = `${columns.length - unused.length} of ${columns.length} are used`;
  return unused.length === 0 ? used : `${used}; ${unused.join(', ')} not`;
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
    <section className="pf-panel mb-4 !border-error" aria-labelledby="problems" role="alert">
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
        <h2 ref={heading} id="problems" className="font-semibold outline-none" tabIndex={-1}>
          {formatCount(lines, 'line')} {lines === 1 ? 'is' : 'are'} left out
        </h2>
        <DownloadButton size="row" file={{ what: 'import', import: _id, part: 'problems' }}>
          Problems as a file
        </DownloadButton>
      </div>
      <dl className="num px-5 pb-2 text-[0.9375rem]">
        {problems.slice(0, isWhole ? undefined : FIRST_PROBLEMS).map(({ line, column, message }, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may have two problems of a column.
            key={index}
            className="grid gap-x-6 border-t border-base-300 py-1.5 [overflow-wrap:anywhere] sm:grid-cols-[5rem_9rem_minmax(0,1fr)]"
          >
            <dt className="text-muted">Line {line}</dt>
            <dd className="font-medium">{column}</dd>
            <dd>{message}</dd>
          </div>
        ))}
      </dl>
      {!isWhole && problems.length > FIRST_PROBLEMS && (
        <button type="button" className="pf-link mb-3 ml-5 min-h-6" onClick={showAll}>
          {problems.length === IMPORT_PAGE
            ? `The first ${IMPORT_PAGE} problems`
            : formatCount(problems.length - FIRST_PROBLEMS, 'more problem')}
        </button>
      )}
      {isWhole && problems.length === IMPORT_PAGE && (
        <p className="px-5 pb-4 text-sm text-muted">The first {IMPORT_PAGE} are shown; the file has all.</p>
      )}
    </section>
  );
}

const columns: Column<Import['lines'][number]>[] = [
  {
    head: 'Part',
    cell: ({ number, name, isNew, ...line }) => (
      <span className="[overflow-wrap:anywhere]">
        {name}
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
    head: 'Changes',
    cell: ({ changes, warning }) => (
      <ul className="num flex flex-wrap gap-x-5 [overflow-wrap:anywhere]">
        {changes.map(({ column, was, will }) => (
          <li key={column} className="line-clamp-4">
            <span className="text-muted">{`${column} ${was === '' ? '' : `${was} →`}`}</span>{' '}
            <span className="font-semibold">{will}</span>
          </li>
        ))}
        {warning && <li className="text-error">{warning}</li>}
      </ul>
    ),
  },
];

function Apply({ found, onDiscard }: Found & { onDiscard: () => void }) {
  const queries = useQueryClient();
  const applying = useMutation({
    mutationFn: () => callShop(applyImport, { params: { id: found._id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: importQueryOptions(found._id).queryKey }),
  });
  const { warned } = found.counts;
  const [isAsking, setAsking] = useState(false);
  const changes = formatCount(countLines(found), 'change');
  return (
    <>
      <FormError error={applying.error} advice="Press Apply again: nothing is applied twice." />
      <div
        data-bottom-bar=""
        className="sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 rounded-t-box border border-b-0 border-base-300 bg-base-100 px-4 py-2.5"
      >
        <Counts counts={found.counts} />
        {found.columns.some(({ column }) => column === 'add') && (
          <p className="text-sm text-muted max-sm:w-full">Pieces are added to the stock of that moment.</p>
        )}
        <Button kind="line" className="bg-base-100" onClick={onDiscard}>
          Discard
        </Button>
        {countLines(found) > 0 && (
          <Button
            kind="primary"
            className="max-sm:flex-1"
            busy={applying.isPending}
            busyLabel="Applying…"
            onClick={() => (warned > 0 ? setAsking(true) : applying.mutate())}
          >
            {`Apply ${changes}${warned > 0 ? `, ${formatPieces(warned)} with a warning` : ''}`}
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Apply ${changes}?`}
          safe="Read them again"
          confirm="Apply"
          busy={applying.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => applying.mutate(undefined, { onSettled: () => setAsking(false) })}
        >
          {`${formatCount(warned, 'line')} ${warned === 1 ? 'has' : 'have'} a warning. Such lines stand first in the list.`}
        </ConfirmDialog>
      )}
    </>
  );
}

const Counts = ({ counts }: Pick<Import, 'counts'>) => (
  <p className="num mr-auto font-semibold">
    {`${formatPieces(counts.changed)} to change, ${formatPieces(counts.new)} new`}
    {counts.refused > 0 && (
      <span className="block text-micro font-normal text-muted">
        {formatCount(counts.refused, 'line')} left out
      </span>
    )}
  </p>
);

function Result({ found, onNext }: Found & { onNext: () => void }) {
  const { counts, state, _id } = found;
  const applied = counts.done - counts.leftOut;
  return (
    <section className="pf-panel flex flex-wrap items-center gap-x-6 gap-y-4 p-6" aria-labelledby="result">
      <div className="min-w-0 flex-1 basis-60" aria-live="polite">
        <h2 id="result" className="display text-h3 outline-none" tabIndex={-1}>
          {state === 'applied'
            ? `${formatCount(applied, found.kind === 'prices' ? 'price' : 'part')} changed`
            : 'Applying…'}
        </h2>
        <p className="num mt-0.5 text-muted [overflow-wrap:anywhere]">
          {`${formatPieces(counts.done)} of ${formatCount(countLines(found), 'line')} of ${found.name}`}
        </p>
      </div>
      {state === 'applied' && applied > 0 && (
        <DownloadButton size="action" file={{ what: 'import', import: _id, part: 'undo' }}>
          File that undoes it
        </DownloadButton>
      )}
      <Button kind="primary" onClick={onNext}>
        Next file
      </Button>
    </section>
  );
}
