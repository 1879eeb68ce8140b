import { PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { readStockLedger, type StockMove } from '@parts-forge/contract/events/trail';
import {
  IMPORT_PAGE,
  type Import,
  importProducts,
  listImports,
  readImport,
} from '@parts-forge/contract/products/catalogue';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
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

const POLL_MS = 1000;

export const importQueryOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['imports', id],
    queryFn: async ({ pageParam, signal }): Promise<Import> => {
      const { data } = await callShop(readImport, {
        params: { id },
        query: { from: String(pageParam) },
        signal,
      });
      return data;
    },
    initialPageParam: 0,
    getNextPageParam: ({ counts }, _, from) =>
      from + IMPORT_PAGE < counts.new + counts.changed ? from + IMPORT_PAGE : undefined,
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
