import { formatCount } from '@parts-forge/contract/money/money';
import type { UnreadBatchLine } from '@parts-forge/contract/orders/batch';
import { WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { CircleCheck, Upload } from 'lucide';
import { Link, useSearchParams } from 'react-router';
import { linesFieldId } from '#app/batch/browser-batch.ts';
import { Button } from '#app/ui/button.tsx';
import { FieldError } from '#app/ui/field.tsx';
import { FileLabel } from '#app/ui/file-label.tsx';
import { Icon } from '#app/ui/icon.tsx';
import type { Paste, Result, Suggest } from './use-paste.ts';

/** Unreadable lines stay in the field with their reasons. */
export function AddLines({ paste }: { paste: Paste }) {
  return (
    <section className="pf-panel p-6" aria-labelledby="add-lines-heading">
      <h2 id="add-lines-heading" className="display text-h4">
        Add lines
      </h2>
      <p className="mt-1 text-sm text-muted" id="add-lines-hint">
        One line per part: part number, quantity. Paste them, or drop a CSV, XLSX or PDF file.
      </p>
      <form
        className="mt-4 grid gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          paste.add();
        }}
      >
        <LinesField paste={paste} />
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            kind="line"
            size="bar"
            className="max-sm:flex-1"
            busy={paste.busy}
            busyLabel="Adding…"
          >
            Add lines
          </Button>
          <FileLabel
            className="btn btn-line h-11 max-sm:flex-1"
            aria-label="Choose a file with lines"
            accept={`.csv,.txt,.xlsx,.pdf,text/csv,text/plain,application/pdf,${WORKBOOK_TYPE}`}
            onChoose={paste.addFile}
          >
            <Icon of={Upload} className="size-4" />
            Choose a file
          </FileLabel>
        </div>
      </form>
    </section>
  );
}

function LinesField({ paste }: { paste: Paste }) {
  const { text, type, result, problem } = paste;
  const [search] = useSearchParams();
  return (
    <div className="pf-field">
      <label htmlFor={linesFieldId} className="sr-only">
        Lines to add
      </label>
      <textarea
        ref={paste.field}
        id={linesFieldId}
        className="textarea num !border-dashed"
        rows={5}
        data-focus-first={search.has('paste') || undefined}
        spellCheck={false}
        placeholder={'PF-D6101, 250\nPF-B4501, 1000'}
        value={text}
        aria-describedby="add-lines-hint add-lines-result"
        aria-invalid={problem !== null || (result?.unread.length ?? 0) > 0 || undefined}
        onChange={(event) => type(event.target.value)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={paste.drop}
      />
      <div id="add-lines-result" className="grid gap-2" aria-live="polite">
        {problem && <FieldError id="add-lines-problem">{problem}</FieldError>}
        {result?.about && <p className="text-sm [overflow-wrap:anywhere]">{result.about}</p>}
        {result && <AddedLines {...result} onSuggestion={paste.take} />}
      </div>
    </div>
  );
}

function AddedLines({ added, joined, unread, first, onSuggestion }: Result & { onSuggestion: Suggest }) {
  const were =
    added === 0
      ? 'Nothing was added.'
      : `${formatCount(added, 'line')} ${added === 1 ? 'was' : 'were'} added${describeJoined(added, joined)}.`;
  if (unread.length === 0) {
    return (
      <p className="flex gap-1.5 text-sm font-medium text-success">
        <Icon of={CircleCheck} className="mt-0.5 size-4 shrink-0" />
        {were}
      </p>
    );
  }
  const these = unread.length === 1 ? 'This one' : `These ${unread.length}`;
  return (
    <>
      <FieldError id="add-lines-unread">
        {were} {these} could not be read and {unread.length === 1 ? 'stays' : 'stay'} here:
      </FieldError>
      <dl className="num grid text-sm">
        {unread.map((line, index) => (
          <UnreadLine key={line.line} place={first + index} line={line} onSuggestion={onSuggestion} />
        ))}
      </dl>
    </>
  );
}

/** A part has one line, so its quantities add up. */
function describeJoined(added: number, joined: number): string {
  if (joined <= 0) return '';
  return added === 1 ? ' to the line of its part' : `, ${joined} of them to a line of the same part`;
}

interface UnreadLineProps {
  line: UnreadBatchLine;
  /** The line's number in the field now, without the added lines. */
  place: number;
  onSuggestion: Suggest;
}

function UnreadLine({ line, place, onSuggestion }: UnreadLineProps) {
  const { suggestion, search } = line;
  return (
    <div className="grid gap-x-4 border-t border-base-300 py-2 sm:grid-cols-[3.5rem_9rem_minmax(0,1fr)]">
      <dt className="text-muted">Line {place}</dt>
      <dd className="font-medium [overflow-wrap:anywhere]">{line.text}</dd>
      <dd>
        {line.reason}
        {suggestion && (
          <>
            {' '}
            Did you mean{' '}
            <button
              type="button"
              className="pf-link pf-fix font-semibold"
              onClick={() => onSuggestion(line, suggestion)}
            >
              {suggestion}
            </button>
            ?
          </>
        )}
        {search && (
          <>
            {' '}
            <Link
              className="pf-link pf-fix font-semibold"
              to={`/all-products?q=${encodeURIComponent(search)}`}
            >
              Search for “{search}”
            </Link>
          </>
        )}
      </dd>
    </div>
  );
}
