import { COUNTED_TO } from '@parts-forge/contract/calls/bounds';
import { writeCursor } from '#src/platform/database/cursor.ts';
import type { Page } from '#src/platform/database/find-page.ts';

/** `Link`, a relative reference, and `X-Total-Count` (contract, "Lists and searches"). */
export function pageHeaders(address: string, page: Page<unknown>): Record<string, string> {
  const headers: Record<string, string> = { 'x-total-count': writeTotal(page) };
  if (page.next) {
    const [path, query] = address.split('?');
    const next = new URLSearchParams(query);
    next.set('after', writeCursor(page.next));
    headers.link = `<${path}?${next}>; rel="next"`;
  }
  return headers;
}

const writeTotal = ({ total, isAtLeast = false }: Page<unknown>): string =>
  total > COUNTED_TO ? `${COUNTED_TO}+` : `${total}${isAtLeast ? '+' : ''}`;
