import { PAGE_LIMIT } from '@parts-forge/contract/bounds';
import { readStockLedger, type StockMove } from '@parts-forge/contract/trail';
import { queryOptions } from '@tanstack/react-query';
import { callList } from '#app/calls/api-client.ts';
import { DAY_MS, listSince, type Period } from './ledger-figures.ts';

/** Ten pages are a thousand moves. */
const MAX_PAGES = 10;

export interface LedgerPeriod {
  /** A cut period starts with its oldest loaded move. */
  sinceMs: number;
  untilMs: number;
  moves: StockMove[];
  /** Whether there are more moves than the limit. */
  isCut: boolean;
  /** Pieces reserved by unpaid orders. */
  held: number;
}

/** `not-found` for an unknown part. */
export const ledgerQueryOptions = (id: string, days: Period) =>
  queryOptions({
    queryKey: ['products', 'ledger', id, days],
    queryFn: ({ signal }) => readLedger(id, days, signal),
  });

async function readLedger(id: string, days: Period, signal: AbortSignal): Promise<LedgerPeriod> {
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
