import { MAX_NAME, PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { readStockLedger, type StockMove } from '@parts-forge/contract/events/trail';
import { createDownload } from '@parts-forge/contract/files/downloads';
import {
  IMPORT_PAGE,
  type Import,
  importProducts,
  listImports,
  readImport,
} from '@parts-forge/contract/products/catalogue';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { expectSuccess, sendRequest } from '#app/http/http.ts';
import { uploadPicture } from '#app/products/upload-picture.ts';
import { takeFile } from '#app/ui/files.ts';
import { DAY_MS, listSince, type Period } from './ledger-figures.ts';

/** Ten pages are a thousand moves. */
const MAX_PAGES = 10;

export type LedgerPeriod = Awaited<ReturnType<typeof readLedger>>;

/** `not-found` for an unknown part. */
export const ledgerQueryOptions = (id: string, days: Period) =>
  queryOptions({
    queryKey: ['products', 'ledger', id, days],
    queryFn: ({ signal }) => readLedger(id, days, signal),
  });

/**
 * `held`: pieces reserved by unpaid orders. `isCut`: there are more moves than the limit, and the period
 * starts with the oldest loaded one.
 */
async function readLedger(id: string, days: Period, signal: AbortSignal) {
  const untilMs = Date.now();
  const sinceMs = untilMs - days * DAY_MS;
  const moves: StockMove[] = [];
  let held = 0;
  let after: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = { limit: String(PAGE_LIMIT), ...(after !== null && { after }) };
    const page: Awaited<ReturnType<typeof callList<typeof readStockLedger>>> = await callList(
      readStockLedger,
      {
        params: { id },
        query,
        signal,
      },
    );
    moves.push(...page.rows);
    held = page.held;
    after = page.nextCursor;
    const oldest = moves.at(-1);
    if (after === null || !oldest || Date.parse(oldest.at) < sinceMs) {
      return { sinceMs, untilMs, moves: listSince(moves, sinceMs), isCut: false, held };
    }
  }
  const oldest = moves.at(-1);
  return { sinceMs: oldest ? Date.parse(oldest.at) : sinceMs, untilMs, moves, isCut: true, held };
}

export const importsQueryOptions = () =>
  queryOptions({
    queryKey: ['imports', 'latest'],
    queryFn: ({ signal }) => callShop(listImports, { signal }),
  });

/** @param only those of a kind; null for all that change something */
export const countLines = ({ counts, kinds }: Import, only: string | null = null): number =>
  only === null ? counts.new + counts.changed : (kinds.find(({ name }) => name === only)?.lines ?? 0);

export const countApplied = ({ counts }: Import): number => counts.done - counts.leftOut;

const POLL_MS = 1000;

/** @param only lines of this kind; null for all */
export const importQueryOptions = (id: string, only: string | null) =>
  infiniteQueryOptions({
    queryKey: ['imports', id, only],
    queryFn: async ({ pageParam, signal }): Promise<Import> => {
      const { data } = await callShop(readImport, {
        params: { id },
        query: { from: String(pageParam), ...(only !== null && { only }) },
        signal,
      });
      return data;
    },
    initialPageParam: 0,
    getNextPageParam: (found, _, from) =>
      from + IMPORT_PAGE < countLines(found, only) ? from + IMPORT_PAGE : undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.pages[0]?.state === 'applying' ? POLL_MS : false),
  });

const isPicture = ({ type }: File): boolean => type.startsWith('image/');

/**
 * Sends the pictures first, so that the file can name them.
 * @throws Error for several files of parts; the errors of the calls
 */
export async function sendFile(all: readonly File[]) {
  const missing = 'Choose the file of parts, too: pictures alone change nothing.';
  const { name, file } = takeFile(
    all.filter((each) => !isPicture(each)),
    missing,
  );
  for (const picture of all.filter(isPicture)) await uploadPicture(picture, () => {});
  return callShop(importProducts, { query: { name }, file });
}

/**
 * Previews the file that undoes an applied one.
 * @throws Error for a file that only removed parts; the errors of the calls
 */
export async function sendUndo({ _id, name }: Import) {
  const { url } = await callShop(createDownload, { body: { what: 'import', import: _id, part: 'undo' } });
  const text = await (await expectSuccess(await sendRequest(url, {}))).text();
  if (text.trim() === '') throw new Error('No file brings a removed part back.');
  return callShop(importProducts, {
    query: { name: `Undo of ${name}`.slice(0, MAX_NAME), undoes: _id },
    file: new Blob([text], { type: 'text/csv' }),
  });
}
