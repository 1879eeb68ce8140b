import { writeCursor } from './cursor.ts';
import type { Page, PageRequest } from './find-page.ts';

const ROWS_AT_A_TIME = 100;

/** No transaction outlasts a page. With newest first, skips rows added concurrently. */
export async function* readAllPages<Row>(
  findPage: (request: PageRequest) => Promise<Page<Row>>,
): AsyncGenerator<readonly Row[]> {
  let after: string | undefined;
  do {
    const { rows, next } = await findPage({ limit: ROWS_AT_A_TIME, after, withoutTotal: true });
    yield rows;
    after = next ? writeCursor(next) : undefined;
  } while (after !== undefined);
}
