import { readCode } from '@parts-forge/contract/files/catalogue-file';
import { guardFormulas } from '@parts-forge/contract/files/formula-guard';
import type { ParcelField, ParcelPlaces, ParcelTable } from '@parts-forge/contract/files/parcel-file';
import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { CARRIERS } from '@parts-forge/contract/orders/carriers';
import { DAY_FORMS, type DayForm, readWrittenDay } from '@parts-forge/contract/text/written-day';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { RetryButton } from '#app/errors/retry-button.tsx';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { formatDay } from '#app/ui/format-day.ts';
import { saveFile } from '#app/ui/save-file.ts';
import { SelectField } from '#app/ui/select-field.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { CarrierField } from './carrier-field.tsx';
import { type PreviewLine, useParcelPreview } from './use-parcel-preview.ts';

/** Its columns, the lines that wait, and those that will be added. */
export function ParcelsOfFile({ table, onDiscard }: { table: ParcelTable; onDiscard: () => void }) {
  const timeZone = useShopTimeZone();
  const preview = useParcelPreview(table);
  const { isChosen, waiting, ready, added } = preview;
  const rows = [...waiting, ...ready];
  return (
    <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">
      <Columns table={table} preview={preview} />
      <FormError error={preview.error} />
      {added > 0 && (
        <p key={added} ref={focus} tabIndex={-1} className="font-medium" role="status">
          {formatCount(added, 'parcel')} added.
        </p>
      )}
      {!isChosen && <p>Choose the carrier, and the columns of the order and of the parcel number.</p>}
      {isChosen && rows.length > 0 && (
        <>
          <Table
            className="pf-dense"
            caption="Parcels"
            columns={listColumns(preview, timeZone)}
            rows={rows.slice(0, SHOWN)}
            getKey={({ line }) => String(line.row.line)}
          />
          <Bar table={table} preview={preview} onDiscard={onDiscard} />
        </>
      )}
    </div>
  );
}

type Preview = ReturnType<typeof useParcelPreview>;

const listColumns = (preview: Preview, timeZone: string): Column<PreviewLine>[] => [
  { head: 'Line', cell: ({ line }) => line.row.line },
  { head: 'Order', cell: ({ line }) => line.row.cells[preview.choice.places.order ?? -1] ?? '' },
  {
    head: 'Parcel number',
    cell: ({ line: { number, row, problem, parcels } }) => (
      <>
        <span className="num inline-block [overflow-wrap:anywhere] lg:min-w-48">{`${parcels[0]?.carrier ?? ''} ${number}`}</span>
        {problem?.field === 'number' && (
          <input
            className="input num !h-8 w-full max-w-48"
            aria-label={`Parcel number of line ${row.line}`}
            placeholder="type it from the label"
            onBlur={({ target }) => preview.typeNumber(row.line, target.value.trim())}
          />
        )}
      </>
    ),
  },
  {
    head: 'Day sent',
    cell: ({ line: { parcels } }) => parcels[0] && formatDay(parcels[0].sentAt, timeZone),
  },
  {
    head: 'Holds',
    cell: ({ results }) =>
      results
        .flatMap(({ order }) => (order ? `${order.productName}, ${formatPieces(order.quantity)}` : []))
        .join('; '),
  },
  { head: 'Mail to', cell: ({ results: [first] }) => first?.order && <bdi>{first.order.name}</bdi> },
  { head: 'Result', cell: (row) => <Result of={row} preview={preview} /> },
];

function Result({ of: { line, why, ask }, preview }: { of: PreviewLine; preview: Preview }) {
  const agree = (button: HTMLButtonElement, question: string) => {
    focusNext(button);
    preview.agree(line.row.line, question);
  };
  return (
    <>
      <span className={why === null ? 'text-muted' : 'text-error'}>
        {why ?? (preview.isChecked && 'will be added')}
      </span>{' '}
      {ask && (
        <Button kind="line" size="row" onClick={({ currentTarget }) => agree(currentTarget, ask)}>
          Add it all the same
        </Button>
      )}
    </>
  );
}

/** The acts on the file, below its lines. */
function Bar({ table, preview, onDiscard }: { table: ParcelTable; preview: Preview; onDiscard: () => void }) {
  const { waiting, ready } = preview;
  return (
    <div className="num pf-panel bottom-0 z-10 flex md:sticky flex-wrap items-center justify-end gap-3 p-4">
      <p className="flex-1 basis-60">
        {describeCheck(preview)}
        {waiting.length + ready.length > SHOWN && ` The first ${SHOWN} are shown.`}
      </p>
      {preview.checkError && (
        <RetryButton error={preview.checkError} busy={false} onRetry={preview.checkAgain} />
      )}
      <Button kind="ghost" onClick={onDiscard}>
        Discard
      </Button>
      {waiting.length > 0 && (
        <Button kind="line" onClick={() => saveWaiting(table, waiting)}>
          Lines that wait as a file
        </Button>
      )}
      {ready.length > 0 && (
        <Button
          kind="primary"
          busy={preview.isAdding}
          busyLabel="Adding…"
          disabled={!preview.isChecked}
          onClick={preview.add}
        >
          Add {formatCount(ready.length, 'parcel')}
        </Button>
      )}
    </div>
  );
}

const SHOWN = 200;
const focus = (element: HTMLElement | null) => element?.focus();

/** The pressed button disappears with its question. */
function focusNext(button: HTMLButtonElement): void {
  const questions = [...(button.closest('tbody')?.querySelectorAll('button') ?? [])];
  const next = questions[questions.indexOf(button) + 1];
  if (next) next.focus();
  else focusHeading();
}

function describeCheck({ isChecked, checkError, waiting, ready }: Preview): string {
  if (isChecked) return describeRows(waiting, ready);
  return checkError ? 'The orders were not checked.' : 'Checking the orders…';
}

function describeRows(waiting: readonly PreviewLine[], ready: readonly PreviewLine[]): string {
  const customers = new Set(ready.flatMap(({ results }) => results.map(({ order }) => order?.customer)));
  const wait = `${formatCount(waiting.length, 'line')} ${waiting.length === 1 ? 'waits' : 'wait'}.`;
  if (ready.length === 0) return wait;
  return `${wait} ${formatCount(customers.size, 'customer')} will get mail, nothing is sent yet.`;
}

const FIELDS: readonly (readonly [ParcelField | '', string])[] = [
  ['', 'Left out'],
  ['order', 'Order'],
  ['carrier', 'Carrier'],
  ['number', 'Parcel number'],
  ['sentAt', 'Day sent'],
  ['quantity', 'Pieces'],
];

/** What each column of the file means. */
function Columns({ table, preview }: { table: ParcelTable; preview: Preview }) {
  const { choice, choose, days } = preview;
  return (
    <section className="pf-panel" aria-labelledby="columns">
      <h2 id="columns" className="px-5 py-3 font-semibold">
        Columns
      </h2>
      <div className="pf-match overflow-x-auto">
        <CarrierField
          hint="of lines without one"
          defaultValue={choice.carrier}
          onChange={({ target }) => CARRIERS.includes(target.value) && choose({ carrier: target.value })}
          onBlur={({ target }) => choose({ carrier: target.value.trim() })}
        />
        {table.names.map((name, index) => (
          <SelectField
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and stay in their places.
            key={index}
            label={name}
            hint={String(table.lines[0]?.cells[index] ?? '')}
            options={FIELDS}
            value={FIELDS.find(([field]) => field !== '' && choice.places[field] === index)?.[0] ?? ''}
            onChange={({ target }) => choose({ places: move(choice.places, index, target.value) })}
          />
        ))}
        {days && (
          <SelectField
            label="How days are written"
            hint={days.example}
            options={[
              ['', 'Choose'],
              ...DAY_FORMS.map((form) => [form, describeForm(form, days.example)] as const),
            ]}
            value={choice.form ?? (days.forms.length === 1 ? days.forms[0] : '') ?? ''}
            onChange={({ target }) => choose({ form: DAY_FORMS.find((form) => form === target.value) })}
          />
        )}
      </div>
    </section>
  );
}

const describeForm = (form: DayForm, example: string): string => {
  const day = readWrittenDay(example, form);
  return day === null ? form : `${form}: ${formatDay(day, 'UTC')}`;
};

function move(places: ParcelPlaces, index: number, field: string): ParcelPlaces {
  const others = Object.fromEntries(Object.entries(places).filter(([, place]) => place !== index));
  return field === '' ? others : { ...others, [field]: index };
}

/** Spreadsheets keep the digits of `="00123"`, which the shop reads. */
function saveWaiting({ names, separator = ',' }: ParcelTable, rows: readonly PreviewLine[]): void {
  const write = (cell: string | number) => {
    const text = readCode(cell);
    const kept = /^(?:0\d{1,59}|[1-9]\d{11,59})$/.test(text) ? `="${text}"` : guardFormulas(text);
    return `"${kept.replaceAll('"', '""')}"`;
  };
  const lines = rows.map(({ line: { row }, why }) => [
    ...names.map((_, index) => row.cells[index] ?? ''),
    why ?? '',
  ]);
  const text = [[...names, 'Why'], ...lines].map((cells) => cells.map(write).join(separator)).join('\r\n');
  saveFile('parcels-that-wait.csv', `\uFEFF${text}`, 'text/csv');
}
