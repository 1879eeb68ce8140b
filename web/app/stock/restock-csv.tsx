import { formatPieces } from '@parts-forge/contract/money';
import { CircleCheck, Download } from 'lucide';
import { useState } from 'react';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { describeError } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Icon } from '#app/ui/icon.tsx';
import { saveFile } from '#app/ui/save-file.ts';
import { useFocusOnStep } from '#app/ui/use-focus-on-step.ts';
import { ChangesTable } from './changes-table.tsx';
import { FilePanel } from './file-panel.tsx';
import { LeftOut } from './left-out.tsx';
import { listPriceMoves, PriceMoves } from './price-moves.tsx';
import { sumChanges } from './read-changes.ts';
import { listRepeats, RepeatQuestion, RepeatsBanner } from './repeated-lines.tsx';
import { type CheckedFile, type CheckedLine, explainLine, useRestockFile } from './use-restock-file.ts';
import { writeCsv } from './write-csv.ts';

/** Checks a file, shows it line by line, and applies it only then. */
export function RestockCsv() {
  const restock = useRestockFile();
  const { checked, error } = restock;
  const step = checked?.appliedAt ? 'applied' : checked ? 'preview' : 'file';
  const area = useFocusOnStep<HTMLDivElement>(step);
  return (
    <div ref={area}>
      <PageHeading title="Restock by CSV" />
      {checked?.appliedAt ? (
        <AppliedFile checked={checked} onNext={restock.discard} />
      ) : (
        <>
          <FilePanel
            file={checked?.file ?? null}
            lines={checked?.lines.length ?? 0}
            busy={restock.isChecking}
            onChoose={restock.check}
          />
          {error && (
            <FormError error={error} className="mt-6">
              {describeError(error)}{' '}
              {restock.checked ? 'Press Apply again: nothing is applied twice.' : 'Nothing is changed.'}
            </FormError>
          )}
          {checked && (
            <Preview
              checked={checked}
              busy={restock.isApplying}
              onApply={restock.apply}
              onDiscard={restock.discard}
            />
          )}
        </>
      )}
    </div>
  );
}

interface PreviewProps {
  checked: CheckedFile;
  busy: boolean;
  onApply: () => void;
  onDiscard: () => void;
}

function Preview({ checked, busy, onApply, onDiscard }: PreviewProps) {
  const { lines, notes } = checked;
  const good = lines.filter((line) => explainLine(line) === null);
  const repeats = listRepeats(good);
  const moves = listPriceMoves(good);
  const [isAsking, setIsAsking] = useState(false);
  const [isSure, setSure] = useState(false);
  return (
    <>
      <RepeatsBanner repeats={repeats} total={good.length} />
      {notes.length > 0 && (
        <Banner kind="info" className="mt-6 bg-base-100 [overflow-wrap:anywhere]">
          {notes.join(' ')}
        </Banner>
      )}
      <LeftOut lines={lines} onSave={() => saveLeftOut(checked)} />
      {good.length > 0 && <Changes lines={good} />}
      <PriceMoves lines={moves} isSure={isSure} onChange={setSure} />
      <div className="mt-6 flex flex-wrap items-center justify-end gap-x-4 gap-y-3">
        <p className="text-sm text-muted max-sm:w-full">Stock is added to what is there at that moment.</p>
        <Button kind="line" className="bg-base-100 max-sm:px-5" onClick={() => !busy && onDiscard()}>
          Discard
        </Button>
        {good.length > 0 && (
          <Button
            kind="primary"
            className="whitespace-nowrap max-sm:flex-1"
            busy={busy}
            busyLabel="Applying…"
            disabled={moves.length > 0 && !isSure}
            onClick={repeats.length > 0 ? () => !busy && setIsAsking(true) : onApply}
          >
            {good.length === 1 ? 'Apply 1 change' : `Apply ${formatPieces(good.length)} changes`}
          </Button>
        )}
      </div>
      {isAsking && (
        <RepeatQuestion repeats={repeats} onClose={() => setIsAsking(false)} onConfirm={onApply} />
      )}
    </>
  );
}

function Changes({ lines }: { lines: readonly CheckedLine[] }) {
  return (
    <section className="mt-6" aria-labelledby="changes">
      <div className="mb-4">
        <h2 id="changes" className="display text-h3">
          What will change
        </h2>
        <p className="num mt-0.5 text-muted">
          {countParts(lines.length)}: {describeSum(lines)}. Nothing is changed yet.
        </p>
      </div>
      <ChangesTable lines={lines} />
    </section>
  );
}

function AppliedFile({ checked, onNext }: { checked: CheckedFile; onNext: () => void }) {
  const { lines, appliedAt } = checked;
  const done = lines.filter((line) => explainLine(line) === null);
  const leftOut = lines.length - done.length;
  return (
    <>
      <section className="pf-panel p-6" aria-labelledby="applied">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
          <span className="grid size-14 shrink-0 place-items-center rounded-full border border-base-300 text-success">
            <Icon of={CircleCheck} className="size-7" />
          </span>
          <div className="min-w-0 flex-1 basis-60">
            <h2 id="applied" className="display text-h3 outline-none" tabIndex={-1}>
              {countParts(done.length)} changed
            </h2>
            <p className="num mt-0.5 text-muted">
              {describeSum(done)}, {formatMoment(appliedAt ?? '')}.
              {leftOut > 0 && ` ${countLines(leftOut)} left out.`}
            </p>
          </div>
          <div className="flex flex-wrap gap-3 max-sm:w-full">
            {leftOut > 0 && (
              <Button kind="line" className="max-sm:w-full" onClick={() => saveLeftOut(checked)}>
                <Icon of={Download} className="size-4" />
                Lines left out
              </Button>
            )}
            <Button kind="primary" className="max-sm:w-full" onClick={onNext}>
              Next file
            </Button>
          </div>
        </div>
      </section>
      <LeftOut lines={lines} />
      {done.length > 0 && (
        <div className="mt-6">
          <ChangesTable lines={done} />
        </div>
      )}
    </>
  );
}

const countParts = (count: number) => (count === 1 ? '1 part' : `${formatPieces(count)} parts`);
const countLines = (count: number) => (count === 1 ? '1 line was' : `${formatPieces(count)} lines were`);

const describeSum = (lines: readonly CheckedLine[]): string =>
  sumChanges(
    lines.flatMap(({ result }) =>
      result?.before && result.after
        ? [
            {
              added: result.after.quantity - result.before.quantity,
              isPriceChanged: result.after.price !== result.before.price,
            },
          ]
        : [],
    ),
  );

/** The skipped lines with reasons, to correct and choose again. */
function saveLeftOut({ lines, separator }: CheckedFile): void {
  const rows = lines.flatMap((line) => {
    const reason = explainLine(line);
    const [number = '', add = '', price = ''] = line.change
      ? [line.change.number, line.change.add, line.change.price]
      : line.written;
    return reason === null ? [] : [[number, add, price, reason]];
  });
  const content = writeCsv([['number', 'add', 'price', 'reason'], ...rows], separator);
  saveFile('lines-left-out.csv', content, 'text/csv');
}
