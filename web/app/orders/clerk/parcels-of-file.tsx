import { readCode } from '@parts-forge/contract/files/catalogue-file';
import { guardFormulas } from '@parts-forge/contract/files/formula-guard';
import {
  DAY_FORMS,
  type DayForm,
  type ParcelField,
  type ParcelPlaces,
  type ParcelTable,
  type ReadParcel,
  readParcels,
  readWrittenDay,
} from '@parts-forge/contract/files/parcel-file';
import { formatPieces } from '@parts-forge/contract/money/money';
import { CARRIERS, toParcelKey } from '@parts-forge/contract/orders/carriers';
import type { BulkResult, ParcelLine } from '@parts-forge/contract/orders/order-bulk';
import { findDespite } from '@parts-forge/contract/orders/shipments';
import { readDay } from '@parts-forge/contract/text/days';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { parcelsQueryOptions, useAddParcels } from '#app/orders/queries.ts';
import { Button } from '#app/ui/button.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { saveFile } from '#app/ui/save-file.ts';
import { type Column, Table } from '#app/ui/table.tsx';

interface Choice {
  places: ParcelPlaces;
  carrier: string;
  form?: DayForm | undefined;
}

/** Its columns, the lines that wait, and those that will be added. */
export function ParcelsOfFile({ table }: { table: ParcelTable }) {
  const timeZone = useShopTimeZone();
  const [choice, setChoice] = useState<Choice>({ places: table.places, carrier: '' });
  const [numbers, setNumbers] = useState<Record<number, string>>({});
  /** What the clerk adds all the same, by line. */
  const [agreed, setAgreed] = useState<Record<number, string>>({});
  const [added, setAdded] = useState<ReadonlySet<number>>(new Set());
  const adding = useAddParcels();
  const today = readDay(new Date(), timeZone);
  const { lines, days } = readParcels(table, { ...choice, numbers, today, timeZone });
  const open = lines.filter(({ row }) => !added.has(row.line));
  const { order, number, carrier = choice.carrier } = choice.places;
  const isChosen = order !== undefined && number !== undefined && carrier !== '';
  const toParcels = ({ row, parcels }: ReadParcel) =>
    parcels.map((parcel) => ({ ...parcel, despite: findDespite(agreed[row.line]) }));
  const parcels = open.flatMap(toParcels);
  const checked = useQuery({ ...parcelsQueryOptions(parcels), enabled: isChosen });
  const results = [...(checked.data ?? [])];
  // A long file is checked in several calls, which do not know each other's numbers.
  const twins = Map.groupBy(
    parcels.map((parcel, index) => ({ ...parcel, customer: results[index]?.order?.customer })),
    describeParcel,
  );
  const rows = open.map((line): Row => judge(line, results.splice(0, line.parcels.length), agreed, twins));
  const waiting = rows.filter(({ why }) => why !== null);
  const ready = rows.filter(({ why }) => why === null);
  const customers = new Set(ready.flatMap((row) => row.results.map((each) => each.order?.customer)));
  const choose = (next: Partial<Choice>) => {
    setChoice({ ...choice, ...next });
    adding.reset();
  };
  const send = () =>
    adding.mutate(
      ready.flatMap(({ line }) => toParcels(line)),
      {
        onSuccess: (answers) => {
          const done = ready.filter(({ line }) =>
            answers.splice(0, line.parcels.length).every(({ ok }) => ok),
          );
          setAdded(new Set([...added, ...done.map(({ line }) => line.row.line)]));
        },
      },
    );
  const columns: Column<Row>[] = [
    { head: 'Line', cell: ({ line }) => line.row.line },
    { head: 'Order', cell: ({ line }) => line.row.cells[order ?? -1] ?? '' },
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
              onBlur={({ target }) => setNumbers({ ...numbers, [row.line]: target.value.trim() })}
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
      cell: ({ results }) => (
        <span className="[overflow-wrap:anywhere]">
          {results
            .map(({ order }) => order && `${order.productName}, ${formatPieces(order.quantity)}`)
            .join('; ')}
        </span>
      ),
    },
    { head: 'Mail to', cell: ({ results }) => <bdi>{results[0]?.order?.name}</bdi> },
    {
      head: 'Result',
      cell: ({ line, why, ask }) => (
        <>
          <span className={why === null ? 'text-muted' : 'text-error'}>{why ?? 'will be added'}</span>{' '}
          {ask && (
            <Button kind="line" size="row" onClick={() => setAgreed({ ...agreed, [line.row.line]: ask })}>
              Add it all the same
            </Button>
          )}
        </>
      ),
    },
  ];
  return (
    <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">
      <section className="pf-panel" aria-labelledby="columns">
        <h2 id="columns" className="px-5 py-3 font-semibold">
          Columns
        </h2>
        <div className="pf-match overflow-x-auto">
          <div data-all>
            <label className="name" htmlFor="carrier">
              Carrier
            </label>
            <span className="sub">of lines without one</span>
            <input
              id="carrier"
              className="input"
              list="carriers"
              defaultValue={choice.carrier}
              onChange={({ target }) => CARRIERS.includes(target.value) && choose({ carrier: target.value })}
              onBlur={({ target }) => choose({ carrier: target.value.trim() })}
            />
            <datalist id="carriers">
              {CARRIERS.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </div>
          {table.names.map((name, index) => (
            <Match
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and stay in their places.
              key={index}
              name={name}
              example={String(table.lines[0]?.cells[index] ?? '')}
              options={FIELDS}
              value={FIELDS.find(([field]) => field !== '' && choice.places[field] === index)?.[0] ?? ''}
              onChange={(field) => choose({ places: move(choice.places, index, field) })}
            />
          ))}
          {days && (
            <Match
              name="How days are written"
              example={days.example}
              options={[
                ['', 'Choose'],
                ...DAY_FORMS.map((form) => [form, describeForm(form, days.example)] as const),
              ]}
              value={choice.form ?? (days.forms.length === 1 ? days.forms[0] : '') ?? ''}
              onChange={(form) => choose({ form: form || undefined })}
            />
          )}
        </div>
      </section>
      {(adding.error ?? checked.error) && (
        <FormError error={adding.error ?? checked.error}>
          {describeError(adding.error ?? checked.error)}
        </FormError>
      )}
      {added.size > 0 && (
        <p ref={focus} tabIndex={-1} className="font-medium" role="status">
          {countOf(added.size, 'parcel')} added.
        </p>
      )}
      {!isChosen && <p>Choose the carrier, and the columns of the order and of the parcel number.</p>}
      {isChosen && open.length > 0 && (
        <>
          <Table
            className="pf-dense"
            caption="Parcels"
            columns={columns}
            rows={[...waiting, ...ready].slice(0, SHOWN)}
            getKey={({ line }) => String(line.row.line)}
          />
          <div className="num pf-panel sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-3 p-4">
            <p className="flex-1 basis-60">
              {checked.isSuccess
                ? `${countOf(waiting.length, 'line')} ${waiting.length === 1 ? 'waits' : 'wait'}.${ready.length > 0 ? ` ${countOf(customers.size, 'customer')} will get mail, nothing is sent yet.` : ''}`
                : 'Checking the orders…'}
              {open.length > SHOWN && ` The first ${SHOWN} are shown.`}
            </p>
            {waiting.length > 0 && (
              <Button kind="line" onClick={() => saveWaiting(table, waiting)}>
                Lines that wait as a file
              </Button>
            )}
            {ready.length > 0 && (
              <Button
                kind="primary"
                busy={adding.isPending}
                busyLabel="Adding…"
                disabled={!checked.isSuccess}
                onClick={send}
              >
                Add {countOf(ready.length, 'parcel')}
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  );
}

const SHOWN = 200;
const focus = (element: HTMLElement | null) => element?.focus();
const countOf = (count: number, thing: string) => `${formatPieces(count)} ${thing}${count === 1 ? '' : 's'}`;

interface Row {
  line: ReadParcel;
  results: BulkResult[];
  /** Null for one that will be added. */
  why: string | null;
  /** What the clerk may add all the same. */
  ask?: string | undefined;
}

type Twins = ReadonlyMap<string, readonly { order: string; customer?: string | undefined }[]>;
const describeParcel = ({ carrier, number }: Pick<ParcelLine, 'carrier' | 'number'>): string =>
  `${toParcelKey(carrier)} ${toParcelKey(number)}`;

function judge(
  line: ReadParcel,
  results: BulkResult[],
  agreed: Readonly<Record<number, string>>,
  twins: Twins,
): Row {
  const { problem, row } = line;
  if (problem) return { line, results, why: [problem.column, problem.message].filter(Boolean).join(': ') };
  const error = results.find(({ ok }) => !ok)?.error;
  if (error) return { line, results, why: error.detail, ask: findDespite(error.code) };
  const [parcel] = line.parcels;
  const customer = results[0]?.order?.customer;
  const twin =
    parcel && twins.get(describeParcel(parcel))?.find((each) => each.customer && each.customer !== customer);
  const shared = results.find(({ order }) => order?.shared)?.order?.shared ?? twin?.order;
  const isAsked = shared !== undefined && agreed[row.line] === undefined;
  const why = isAsked ? `Order ${shared} of another customer has this number.` : null;
  return { line, results, why, ask: isAsked ? 'shared' : undefined };
}

const FIELDS: readonly (readonly [ParcelField | '', string])[] = [
  ['', 'Left out'],
  ['order', 'Order'],
  ['carrier', 'Carrier'],
  ['number', 'Parcel number'],
  ['sentAt', 'Day sent'],
  ['quantity', 'Pieces'],
];

interface MatchProps<Value> {
  name: string;
  example: string;
  options: readonly (readonly [Value, string])[];
  value: Value;
  onChange: (value: Value) => void;
}

function Match<Value extends string>({ name, example, options, value, onChange }: MatchProps<Value>) {
  return (
    <div data-out={value === '' || undefined}>
      <span className="name">{name}</span>
      <span className="sub num">{example}</span>
      <select
        className="select"
        aria-label={name}
        value={value}
        onChange={({ target }) => onChange(target.value as Value)}
      >
        {options.map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

const describeForm = (form: DayForm, example: string): string => {
  const day = readWrittenDay(example, form);
  return day === null ? form : `${form}: ${formatDay(day)}`;
};

function move(places: ParcelPlaces, index: number, field: ParcelField | ''): ParcelPlaces {
  const others = Object.fromEntries(Object.entries(places).filter(([, place]) => place !== index));
  return field === '' ? others : { ...others, [field]: index };
}

/** Spreadsheets keep the digits of `="00123"`, which the shop reads. */
function saveWaiting({ names, separator = ',' }: ParcelTable, rows: readonly Row[]): void {
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
