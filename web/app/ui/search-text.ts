import { MAX_SEARCH } from '@parts-forge/contract/calls/bounds';

/** Pause in typing before a search starts, in milliseconds. */
export const SEARCH_DELAY_MS = 250;

/** From `?q=`, cut to the API's limit. */
export const readSearchText = (query: URLSearchParams): string =>
  (query.get('q') ?? '').trim().slice(0, MAX_SEARCH);
