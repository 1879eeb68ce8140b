import type { UnreadBatchLine } from '@parts-forge/contract/batch';
import { readBatchLines } from '@parts-forge/contract/batch-lines';
import { MAX_BATCH_TEXT } from '@parts-forge/contract/bounds';
import { formatPieces } from '@parts-forge/contract/money';
import { CircleCheck, Upload } from 'lucide-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { describeError } from '#app/errors/describe-error.ts';
import { useDraft } from '#app/forms/use-draft.ts';
import { Button } from '#app/ui/button.tsx';
import { describeLines } from '#app/ui/describe-lines.ts';
import { FieldError } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useAddLines } from './queries.ts';

/** Takes lines that are typed, pasted, or come in a file. What cannot be read stays in the field, with a reason each. */
export function AddLines({ email }: { email: string }) {
  const paste = usePaste(email);
  const { text, setText, result, problem, busy } = paste;
  return (
    <section className="pf-panel p-6" aria-labelledby="add-lines-heading">
      <h2 id="add-lines-heading" className="display text-h4">
        Add lines
      </h2>
      <p className="mt-1 text-sm text-muted" id="add-lines-hint">
        One line per part: part number, quantity. Paste them, or drop a CSV file.
      </p>
      <form
        className="mt-4 grid gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void paste.add(text);
        }}
      >
        <div className="pf-field">
          <label htmlFor="add-lines" className="sr-only">
            Lines to add
          </label>
          <textarea
            ref={paste.field}
            id="add-lines"
            className="textarea num !border-dashed"
            rows={5}
            spellCheck={false}
            placeholder={'PF-D6101, 250\nPF-B4501, 1000'}
            value={text}
            aria-describedby="add-lines-hint add-lines-result"
            aria-invalid={problem !== null || (result?.unread.length ?? 0) > 0 || undefined}
            onChange={(event) => setText(event.target.value)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={paste.drop}
          />
          <div id="add-lines-result" className="grid gap-2" aria-live="polite">
            {problem && <FieldError id="add-lines-problem">{problem}</FieldError>}
            {result && <AddedLines {...result} onSuggestion={paste.take} />}
          </div>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            kind="line"
            size="bar"
            className="max-sm:flex-1"
            busy={busy}
            busyLabel="Adding…"
          >
            Add lines
          </Button>
          <FileButton onFile={paste.addFile} />
        </div>
      </form>
    </section>
  );
}

function FileButton({ onFile }: { onFile: (file: File) => void }) {
  return (
    <label className="btn btn-line h-11 cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-primary has-focus-visible:outline-offset-2 max-sm:flex-1">
      <Icon of={Upload} className="size-4" />
      Choose a file
      <input
        className="sr-only"
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        aria-label="Choose a file with lines"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onFile(file);
          // The same file again is a choice, too.
          target.value = '';
        }}
      />
    </label>
  );
}

interface Result {
  /** How many lines were added. */
  added: number;
  unread: readonly UnreadBatchLine[];
}

function AddedLines({ added, unread, onSuggestion }: Result & { onSuggestion: Suggest }) {
  const were =
    added === 0 ? 'Nothing was added.' : `${describeLines(added)} ${added === 1 ? 'was' : 'were'} added.`;
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
          <UnreadLine key={line.line} place={index + 1} line={line} onSuggestion={onSuggestion} />
        ))}
      </dl>
    </>
  );
}

/** Puts another number in place of a line's own. */
type Suggest = (line: UnreadBatchLine, suggestion: string) => void;

interface UnreadLineProps {
  line: UnreadBatchLine;
  /** Which line of the field it is now, as those that were added are gone from it. */
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

function usePaste(email: string) {
  const [text, setText] = useState('');
  useDraft('batch-lines', email, {
    read: () => ({ text }),
    initial: { text: '' },
    restore: ({ text: kept }) => setText(kept ?? ''),
  });
  const [result, setResult] = useState<Result | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const adding = useAddLines();
  useEffect(() => {
    if (result === null) return;
    // The lines that were added push this form down.
    if (result.unread.length > 0) field.current?.focus();
    else document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [result]);

  const add = async (given: string) => {
    if (adding.isPending) return;
    setResult(null);
    setText(given);
    const problemNow = refuseText(given);
    setProblem(problemNow);
    if (problemNow) return field.current?.focus();
    try {
      const { unread } = await adding.mutateAsync(given);
      const read = readBatchLines(given);
      setResult({ added: read.lines.length + read.unread.length - unread.length, unread });
      setText(unread.map((line) => line.text).join('\n'));
    } catch (error) {
      setProblem(describeError(error));
    }
  };
  const addFile = async (file: File) => add(await file.text());
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    // A text that is dropped is the field's own matter.
    if (!file) return;
    event.preventDefault();
    void addFile(file);
  };
  const take: Suggest = (line, suggestion) => {
    const lines = text.split('\n');
    const mended = lines.map((each) => (each === line.text ? each.replace(/[a-z0-9-]+/i, suggestion) : each));
    setText(mended.join('\n'));
    field.current?.focus();
  };
  return {
    text,
    setText,
    result,
    problem,
    busy: adding.isPending,
    field,
    add,
    addFile: (file: File) => void addFile(file),
    drop,
    take,
  };
}

/** Why a text is not sent at all; null when it is. */
function refuseText(text: string): string | null {
  if (text.trim() === '') return 'Paste or type a line first.';
  return text.length > MAX_BATCH_TEXT ? `At most ${formatPieces(MAX_BATCH_TEXT)} characters at once.` : null;
}
