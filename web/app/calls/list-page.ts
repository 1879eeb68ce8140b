import { getRequestId } from '#app/errors/describe-error.ts';
import { expectSuccess, readAnswer } from '#app/http/http.ts';

export interface ListPage<Row> {
  rows: readonly Row[];
  /** As the shop writes it: `36`, or `1000+`. */
  total: string;
  /** Null on the last page. */
  nextCursor: string | null;
}

export interface ListFailure {
  rows: null;
  /** In the shop's log; null if the shop was not reached. */
  requestId: string | null;
}

/**
 * @param field holds the rows of an object; its other fields are returned too
 * @throws ShopProblem, OfflineError
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

export async function readListPageOrFailure<Row>(
  response: Response | Promise<Response>,
): Promise<ListPage<Row> | ListFailure> {
  try {
    return await readListPage<Row>(await response);
  } catch (error) {
    return failList(error);
  }
}

export const failList = (error: unknown): ListFailure => ({ rows: null, requestId: getRequestId(error) });

function readNextCursor(headers: Headers): string | null {
  const reference = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return reference ? new URL(reference, 'http://shop.invalid').searchParams.get('after') : null;
}
