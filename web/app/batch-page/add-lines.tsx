import { WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { Upload } from 'lucide';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { linesFieldId } from '#app/batch/browser-batch.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { Button } from '#app/ui/button.tsx';
import { FieldError } from '#app/ui/field.tsx';
import { FileLabel } from '#app/ui/file-label.tsx';
import { Icon } from '#app/ui/icon.tsx';
import type { List } from './use-list.ts';

interface AddLinesProps {
  list: List;
  /** Typed lines keep it open once they are read, a file does not. */
  onUse: (isTyped: boolean) => void;
}

export function AddLines({ list, onUse }: AddLinesProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const add = async () => {
    try {
      setProblem(list.text.trim() === '' ? 'Paste or type a line first.' : null);
      if (list.text.trim() === '') field.current?.focus();
      else await list.addTyped();
    } catch (error) {
      setProblem(describeError(error));
    }
  };
  return (
    <section id={addLinesId} className="pf-panel mb-3 p-6 [.pf-panel+&]:mt-6" aria-labelledby="add-lines-h2">
      <h2 id="add-lines-h2" className="display text-h4">
        Add lines
      </h2>
      <p className="mt-1 text-sm text-muted" id="add-lines-hint">
        One line per part: part number or{' '}
        <Link className="pf-link" to="/dashboard/own-names">
          own name
        </Link>
        , quantity. Paste them, or drop a CSV, XLSX or PDF file.
      </p>
      <form
        className="mt-4 grid gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <LinesField
          ref={field}
          text={list.text}
          problem={problem}
          onChange={(text) => {
            list.setText(text);
            onUse(true);
            setProblem(null);
          }}
        />
        <Acts list={list} onUse={onUse} />
      </form>
    </section>
  );
}

export const addLinesId = 'add-lines-panel';

interface LinesFieldProps {
  ref: Ref<HTMLTextAreaElement>;
  text: string;
  problem: string | null;
  onChange: (text: string) => void;
}

function LinesField({ ref, text, problem, onChange }: LinesFieldProps) {
  const [search] = useSearchParams();
  return (
    <div className="pf-field">
      <label htmlFor={linesFieldId} className="sr-only">
        Lines to add
      </label>
      <textarea
        ref={ref}
        id={linesFieldId}
        className="textarea num !border-dashed"
        rows={5}
        data-focus-first={search.has('paste') || undefined}
        spellCheck={false}
        placeholder={'PF-D6101, 250\nPF-B4501, 1000'}
        value={text}
        aria-describedby="add-lines-hint add-lines-result"
        aria-invalid={problem !== null || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      <div id="add-lines-result" aria-live="polite">
        {problem && <FieldError id="add-lines-problem">{problem}</FieldError>}
      </div>
    </div>
  );
}

const Acts = ({ list, onUse }: AddLinesProps) => (
  <div className="flex flex-wrap gap-3">
    <Button
      type="submit"
      kind="line"
      size="bar"
      className="max-sm:flex-1"
      busy={list.busy}
      busyLabel="Adding…"
    >
      Add lines
    </Button>
    <ChooseFile
      label="Choose a file with lines"
      className="btn btn-line h-11 max-sm:flex-1"
      onChoose={(files) => {
        onUse(false);
        return list.addFile(files);
      }}
    >
      <Icon of={Upload} className="size-4" />
      Choose a file
    </ChooseFile>
  </div>
);

interface ChooseFileProps {
  label: string;
  className: string;
  onChoose: List['addFile'];
  children: ReactNode;
}

export const ChooseFile = ({ label, className, onChoose, children }: ChooseFileProps) => (
  <FileLabel
    className={className}
    aria-label={label}
    accept={`.csv,.txt,.xlsx,.pdf,text/csv,text/plain,application/pdf,${WORKBOOK_TYPE}`}
    onChoose={(_, files) => void onChoose(files)}
  >
    {children}
  </FileLabel>
);
