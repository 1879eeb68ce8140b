import { CircleAlert, Download } from 'lucide';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { shorten } from './read-changes.ts';
import { type CheckedLine, explainLine } from './use-restock-file.ts';

/** The saved file has all of them. */
const SHOWN = 50;

interface LeftOutProps {
  lines: readonly CheckedLine[];
  /** Absent when another button saves. */
  onSave?: () => void;
}

/** The skipped lines of the file, with reasons. */
export function LeftOut({ lines, onSave }: LeftOutProps) {
  const wrong = lines.filter((line) => explainLine(line) !== null);
  if (wrong.length === 0) return null;
  return (
    <section className="pf-panel mt-6 !border-error" aria-labelledby="left-out" role="alert">
      <div className="flex flex-wrap items-center gap-3 p-6 pb-4">
        <Icon of={CircleAlert} className="size-5 shrink-0 text-error" />
        <h2 id="left-out" className="font-semibold">
          {wrong.length === 1 ? '1 line is left out' : `${wrong.length} lines are left out`}
        </h2>
        {onSave && (
          <Button kind="line" size="row" className="ml-auto" onClick={onSave}>
            <Icon of={Download} className="size-4" />
            Save as a file
          </Button>
        )}
      </div>
      <dl className="num px-6 pb-3 text-[0.9375rem]">
        {wrong.slice(0, SHOWN).map((line) => (
          <div
            key={line.line}
            className="grid gap-x-6 border-t border-base-300 py-2.5 [overflow-wrap:anywhere] sm:grid-cols-[4rem_14rem_minmax(0,1fr)]"
          >
            <dt className="text-muted">Line {line.line}</dt>
            <dd className="font-medium">{line.written.map(shorten).join(', ')}</dd>
            <dd>{explainLine(line)}</dd>
          </div>
        ))}
      </dl>
      {wrong.length > SHOWN && (
        <p className="border-t border-base-300 px-6 py-3 text-sm text-muted">
          The first {SHOWN} are shown; the file has all of them.
        </p>
      )}
    </section>
  );
}
