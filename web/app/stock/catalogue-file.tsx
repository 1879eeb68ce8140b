import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { applyImport, type Import } from '@parts-forge/contract/products/catalogue';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { callShop } from '#app/calls/api-client.ts';
import { ListFooter } from '#app/dashboard/list-footer.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { toastError } from '#app/errors/toast-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { useFocusOnStep } from '#app/ui/use-focus-on-step.ts';
import { FileLines } from './file-lines.tsx';
import { FilePanel } from './file-panel.tsx';
import {
  countApplied,
  countLines,
  importQueryOptions,
  importsQueryOptions,
  sendFile,
  sendUndo,
} from './queries.ts';
import { Stage } from './stage.tsx';

const GONE = 'A preview is kept for a day, an applied file for 30 days. Choose the file again.';
const AGAIN = 'Press Apply again: nothing is applied twice.';

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
      {id === null ? (
        <>
          <FormError error={sending.error} className="mb-6" advice="Nothing is changed." />
          <FilePanel {...file} />
          <LatestFiles />
        </>
      ) : (
        <ReadFile key={id} id={id} file={file} onDiscard={discard} />
      )}
    </>
  );
}

/** The way back to a result, and its undo. */
function LatestFiles() {
  const query = useQuery(importsQueryOptions());
  return (
    <QueryPanel query={query} what="The latest files" skeleton={null}>
      {({ data: files }) => (
        <Stage title="Latest files" said="" className={files.length > 0 ? 'mt-4' : 'hidden'}>
          <ul className="pf-files">
            {files.map((file) => (
              <li key={file._id}>
                <span>
                  <Link className="pf-link font-medium" dir="auto" to={`?import=${file._id}`}>
                    {file.name}
                  </Link>
                  <span className="num sub">{file.appliedAt && formatMoment(file.appliedAt)}</span>
                </span>
                <span className="num">{describeResult(file)}</span>
                <Undo file={file} size="row" />
              </li>
            ))}
          </ul>
        </Stage>
      )}
    </QueryPanel>
  );
}

function describeResult(file: Import): string {
  const leftOut = file.counts.refused + file.counts.leftOut;
  const words = [`${formatPieces(countApplied(file))} changed`];
  if (leftOut > 0) words.push(`${formatPieces(leftOut)} left out`);
  if (file.state === 'applying') words.push('applying');
  return words.join(', ');
}

/** The file that changed another one back, unless it was undone, too. */
const findUndo = (files: readonly Import[], id: string): Import | undefined =>
  files.find((file) => file.undoes === id && countApplied(file) > 0 && !findUndo(files, file._id));

/** Leads to the preview of the file that undoes this one; nothing is applied without it. */
function Undo({ file, size }: { file: Import; size: 'row' | 'action' }) {
  const { data: latest } = useQuery(importsQueryOptions());
  const [, setSearch] = useSearchParams();
  const undoing = useMutation({ mutationFn: sendUndo, onError: toastError });
  const press = () => undoing.mutate(file, { onSuccess: ({ data }) => setSearch({ import: data._id }) });
  if (file.state !== 'applied' || countApplied(file) === 0) return null;
  const undone = findUndo(latest?.data ?? [], file._id)?.appliedAt;
  if (undone) return <span className="text-micro text-muted">undone {formatMoment(undone)}</span>;
  return (
    <Button
      kind="line"
      size={size}
      aria-label={`Undo ${file.name}`}
      busy={undoing.isPending}
      busyLabel="Reading…"
      onClick={press}
    >
      Undo
    </Button>
  );
}

/** Reads what it changed again, once it is applied. */
function useImport(id: string, only: string | null) {
  const query = useInfiniteQuery(importQueryOptions(id, only));
  const queries = useQueryClient();
  const state = query.data?.pages[0]?.state;
  useEffect(() => {
    if (state !== 'applied') return;
    void queries.invalidateQueries({ queryKey: ['products'] });
    void queries.invalidateQueries({ queryKey: importsQueryOptions().queryKey });
  }, [state, queries]);
  return query;
}

interface ReadFileProps {
  id: string;
  file: Parameters<typeof FilePanel>[0];
  onDiscard: () => void;
}

function ReadFile({ id, file, onDiscard }: ReadFileProps) {
  const [search, setSearch] = useSearchParams();
  const only = search.get('only');
  const query = useImport(id, only);
  const isPreview = query.data?.pages[0]?.state === 'preview';
  const area = useFocusOnStep<HTMLDivElement>(isPreview ? 'preview' : 'result');
  const choose = (kind: string | null) =>
    setSearch(kind === null ? { import: id } : { import: id, only: kind }, { preventScrollReset: true });
  return (
    <QueryPanel
      query={query}
      what="The file"
      skeleton={<PanelsSkeleton heights={['h-12', 'h-80']} />}
      missing={<Gone error={query.error} file={file} />}
    >
      {({ pages }) => {
        const [found] = pages;
        if (!found) return <FilePanel {...file} />;
        const lines = pages.flatMap((page) => page.lines);
        return (
          <>
            {isPreview && <FileAndColumns found={found} file={file} />}
            <div ref={area} className="grid grid-cols-[minmax(0,1fr)] gap-3">
              {!isPreview && <Result found={found} onNext={onDiscard} />}
              <FileLines
                found={found}
                lines={lines}
                only={only}
                busy={query.isPlaceholderData}
                onChoose={choose}
              >
                <ListFooter
                  shown={lines.length}
                  total={formatPieces(countLines(found, only))}
                  hasMore={query.hasNextPage}
                  isPaged={pages.length > 1}
                  busy={query.isFetchingNextPage}
                  error={query.isFetchNextPageError ? query.error : null}
                  onMore={query.fetchNextPage}
                />
              </FileLines>
              {isPreview && <Apply found={found} onDiscard={onDiscard} />}
            </div>
          </>
        );
      }}
    </QueryPanel>
  );
}

const Gone = ({ error, file }: Pick<ReadFileProps, 'file'> & { error: unknown }) => (
  <>
    <FormError error={error} className="mb-6" advice={GONE} />
    <FilePanel {...file} />
  </>
);

interface Found {
  found: Import;
}

/** What was read, and how. */
function FileAndColumns({ found, file }: Found & Pick<ReadFileProps, 'file'>) {
  return (
    <>
      <div className="mb-3 grid items-start gap-3 lg:grid-cols-2">
        <FilePanel found={found} {...file} />
        <Columns found={found} />
      </div>
      {found.notes.length > 0 && (
        <Banner kind="info" className="mb-3 [overflow-wrap:anywhere]">
          {found.notes.join(' ')}
        </Banner>
      )}
    </>
  );
}

function Columns({ found: { columns } }: Found) {
  return (
    <details className="group pf-panel pf-stage">
      <summary className="top cursor-pointer">
        <h2>
          <span className="num">2 </span>Columns
        </h2>
        <p>{describeColumns(columns)}</p>
        <span className="pf-link text-sm font-medium group-open:hidden">Show</span>
        <span className="pf-link text-sm font-medium not-group-open:hidden">Hide</span>
      </summary>
      <dl className="pf-spec px-5 pb-3 text-[0.9375rem]">
        {columns.map(({ name, column }) => (
          <div key={name} className="!py-1 [overflow-wrap:anywhere]">
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

function Apply({ found, onDiscard }: Found & { onDiscard: () => void }) {
  const queries = useQueryClient();
  const applying = useMutation({
    mutationFn: () => callShop(applyImport, { params: { id: found._id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['imports', found._id] }),
  });
  const isGone = getProblemCode(applying.error) === 'not-found';
  const { warned } = found.counts;
  const [isAsking, setAsking] = useState(false);
  const count = countLines(found);
  const changes = formatCount(count, 'change');
  return (
    <>
      <FormError error={applying.error} advice={isGone ? GONE : AGAIN} />
      <div
        data-bottom-bar=""
        className="sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 rounded-t-box border border-b-0 border-base-300 bg-base-100 px-4 py-2.5"
      >
        <Counts counts={found.counts} />
        {count > 0 && <Note found={found} />}
        <Button kind="line" className="bg-base-100" onClick={onDiscard}>
          Discard
        </Button>
        {count > 0 && (
          <Button
            kind="primary"
            className="max-sm:order-1 max-sm:w-full"
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

/** What applying the file and undoing it does, and what it does not. */
function Note({ found: { kind, counts, kinds, columns } }: Found) {
  const isParts = kind === 'parts';
  return (
    <p className="flex-1 basis-60 text-sm text-muted max-sm:order-1 max-sm:basis-full">
      Undo for 30 days.
      {isParts && counts.new > 0 && ' It removes new parts; bought ones stay, without stock.'}
      {isParts && kinds.some(({ name }) => name === 'remove') && ' No removed part comes back.'}
      {columns.some(({ column }) => column === 'add') && ' Pieces are added to the stock of that moment.'}
    </p>
  );
}

const Counts = ({ counts }: Pick<Import, 'counts'>) => (
  <p className="num mr-auto font-semibold max-sm:flex-1">
    {`${formatPieces(counts.changed)} to change, ${formatPieces(counts.new)}\u00a0new`}
    {counts.refused > 0 && (
      <span className="block text-micro font-normal text-muted">
        {formatCount(counts.refused, 'line')} left out
      </span>
    )}
  </p>
);

function Result({ found, onNext }: Found & { onNext: () => void }) {
  const { counts, state, _id } = found;
  const applied = countApplied(found);
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
      <Undo file={found} size="action" />
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
