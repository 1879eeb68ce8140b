import {
  type ParcelPlaces,
  type ParcelTable,
  type ReadParcel,
  readParcels,
} from '@parts-forge/contract/files/parcel-file';
import { toParcelKey } from '@parts-forge/contract/orders/carriers';
import type { BulkResult, ParcelLine } from '@parts-forge/contract/orders/order-bulk';
import { findDespite } from '@parts-forge/contract/orders/shipments';
import { readDay } from '@parts-forge/contract/text/days';
import type { DayForm } from '@parts-forge/contract/text/written-day';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { parcelsQueryOptions, useAddParcels } from '#app/orders/queries.ts';

interface Choice {
  places: ParcelPlaces;
  carrier: string;
  form?: DayForm | undefined;
}

export interface PreviewLine {
  line: ReadParcel;
  results: readonly BulkResult[];
  /** Null for one that will be added. */
  why: string | null;
  /** What the clerk may add all the same. */
  ask?: string | undefined;
}

/** A file's lines as parcels, checked by the shop. Added lines leave it. */
export function useParcelPreview(table: ParcelTable) {
  const timeZone = useShopTimeZone();
  const [choice, setChoice] = useState<Choice>({ places: table.places, carrier: '' });
  const [numbers, setNumbers] = useState<Record<number, string>>({});
  /** What the clerk adds all the same, by line. */
  const [agreed, setAgreed] = useState<Record<number, readonly string[]>>({});
  const listAgreed = (line: number) => agreed[line] ?? [];
  const [added, setAdded] = useState<ReadonlySet<number>>(new Set());
  const adding = useAddParcels();
  const today = readDay(new Date(), timeZone);
  const { lines, days } = readParcels(table, { ...choice, numbers, today, timeZone });
  const open = lines.filter(({ row }) => !added.has(row.line));
  const { order, number, carrier = choice.carrier } = choice.places;
  const isChosen = order !== undefined && number !== undefined && carrier !== '';
  const toParcels = ({ row, parcels }: ReadParcel) =>
    parcels.map((parcel) => ({ ...parcel, despite: listAgreed(row.line).map(findDespite).find(Boolean) }));
  const parcels = open.flatMap(toParcels);
  const checked = useQuery({ ...parcelsQueryOptions(parcels), enabled: isChosen });
  const results = checked.data ?? [];
  // A long file is checked in several calls, which do not know each other's numbers.
  const twins = Map.groupBy(
    parcels.map((parcel, index) => ({ ...parcel, customer: results[index]?.order?.customer })),
    describeParcel,
  );
  const rows = pairResults(open, results).map(([line, own]) =>
    describeLine(line, own, twins, listAgreed(line.row.line).includes(SHARED)),
  );
  const waiting = rows.filter(({ why }) => why !== null);
  const ready = rows.filter(({ why }) => why === null);
  return {
    choice,
    choose: (next: Partial<Choice>) => {
      setChoice({ ...choice, ...next });
      // Another column has other orders or numbers.
      if (next.places) setAgreed({});
      adding.reset();
    },
    isChosen,
    days,
    waiting,
    ready,
    isChecked: checked.isSuccess,
    error: adding.error ?? checked.error,
    checkError: checked.error,
    checkAgain: checked.refetch,
    typeNumber: (line: number, text: string) => setNumbers({ ...numbers, [line]: text }),
    agree: (line: number, ask: string) => setAgreed({ ...agreed, [line]: [...listAgreed(line), ask] }),
    added: added.size,
    isAdding: adding.isPending,
    add: () =>
      adding.mutate(
        ready.flatMap(({ line }) => toParcels(line)),
        {
          onSuccess: (answers) => {
            const sent = ready.map(({ line }) => line);
            const done = pairResults(sent, answers).filter(([, own]) => own.every(({ ok }) => ok));
            setAdded(new Set([...added, ...done.map(([line]) => line.row.line)]));
          },
        },
      ),
  };
}

/** A line with several orders has a result for each. */
function pairResults(lines: readonly ReadParcel[], results: readonly BulkResult[]) {
  let next = 0;
  return lines.map((line): [ReadParcel, readonly BulkResult[]] => {
    const first = next;
    next += line.parcels.length;
    return [line, results.slice(first, next)];
  });
}

/** The page's own question; the shop asks the others. */
const SHARED = 'shared';

const describeParcel = ({ carrier, number }: Pick<ParcelLine, 'carrier' | 'number'>): string =>
  `${toParcelKey(carrier)} ${toParcelKey(number)}`;

interface Twin {
  order: ParcelLine['order'];
  customer?: string | undefined;
}

function describeLine(
  line: ReadParcel,
  results: readonly BulkResult[],
  twins: ReadonlyMap<string, readonly Twin[]>,
  mayShare: boolean,
): PreviewLine {
  const { problem } = line;
  if (problem) return { line, results, why: [problem.column, problem.message].filter(Boolean).join(': ') };
  const error = results.find(({ ok }) => !ok)?.error;
  if (error) return { line, results, why: error.detail, ask: findDespite(error.code) };
  const customer = results[0]?.order?.customer;
  const twin = line.parcels
    .flatMap((parcel) => twins.get(describeParcel(parcel)) ?? [])
    .find((each) => each.customer && each.customer !== customer);
  const shared = results.find((each) => each.order?.shared)?.order?.shared ?? twin?.order;
  if (shared === undefined || mayShare) return { line, results, why: null };
  const why = `Order ${shared} of another customer has this number.`;
  return { line, results, why, ask: SHARED };
}
