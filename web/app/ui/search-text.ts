import { MAX_SEARCH } from '@parts-forge/contract/bounds';

/** How long typing must pause before a search starts, in milliseconds. */
export const SEARCH_DELAY_MS = 250;

/** The search text of a list, as its address carries it in `?q=`; empty for none, and no longer than the calls take. */
export const readSearchText = (query: URLSearchParams): string =>
  (query.get('q') ?? '').trim().slice(0, MAX_SEARCH);
