import { writeCursor } from './cursor.ts';
import type { Page, PageRequest } from './find-page.ts';

/** Rows that are read, and in memory, at a time. */
const ROWS_AT_A_TIME = 500;

/**
 * Every row of a list, page after page, as fast as they are taken: no statement and no transaction lasts longer than a
 * page. Rows that come in meanwhile are not among them where the newest stand first.
 */
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
