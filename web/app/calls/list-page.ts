import { getRequestId } from '#app/errors/describe-error.ts';
import { expectSuccess, readAnswer } from '#app/http/http.ts';

/** One page of a list, as the calls answer it. */
export interface ListPage<Row> {
  rows: readonly Row[];
  /** How many match in all, as the shop writes it: `36`, or `1000+`. */
  total: string;
  /** Where the next page begins, for `?after=`; null on the last page. */
  nextCursor: string | null;
}

/** A list that could not be read. */
export interface ListFailure {
  rows: null;
  /** Names the request in the shop's log; null when the shop did not fail but was not reached. */
  requestId: string | null;
}

/**
 * Reads a page of a list out of the answer and its headers.
 * @param field where the rows are, when the answer is not the rows themselves; what stands beside them comes along
 * @throws ShopProblem when the call was refused; OfflineError when the answer was cut off
 */
export async function readListPage<Row, OtherFields = unknown>(
  response: Response,
  field?: 'data',
): Promise<ListPage<Row> & OtherFields> {
  const answer = await readAnswer<Row[] | ({ data: Row[] } & OtherFields)>(await expectSuccess(response));
  const { data: rows, ...otherFields } = (field === undefined ? { data: answer } : answer) as {
    data: Row[];
  } & OtherFields;
  return {
    ...(otherFields as OtherFields),
    rows,
    total: response.headers.get('x-total-count') ?? String(rows.length),
    nextCursor: readNextCursor(response.headers),
  };
}

/** As `readListPage`, for the pages that stay when one of their lists cannot be read. */
export async function readListPageOrFailure<Row>(
  response: Response | Promise<Response>,
): Promise<ListPage<Row> | ListFailure> {
  try {
    return await readListPage<Row>(await response);
  } catch (error) {
    return failList(error);
  }
}

/** What stands for a list whose reading failed with `error`. */
export const failList = (error: unknown): ListFailure => ({ rows: null, requestId: getRequestId(error) });

/** The contract names the next page in `Link: <…>; rel="next"`, by a reference that is relative to the call. */
function readNextCursor(headers: Headers): string | null {
  const reference = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return reference ? new URL(reference, 'http://shop.invalid').searchParams.get('after') : null;
}
