/** One page of a list, as the calls answer it. */
export interface ListPage<Row> {
  rows: Row[];
  /** How many match in all, as the shop writes it: `36`, or `10000+`. */
  total: string;
  /** The cursor of the next page; null on the last one. */
  after: string | null;
}

/** Reads a list's answer; null when the call failed or could not be made. */
export async function listOf<Row>(answer: Response | Promise<Response>): Promise<ListPage<Row> | null> {
  try {
    const response = await answer;
    if (!response.ok) return null;
    const rows = (await response.json()) as Row[];
    const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    return {
      rows,
      total: response.headers.get('x-total-count') ?? String(rows.length),
      after: next ? new URL(next, 'http://shop').searchParams.get('after') : null,
    };
  } catch {
    return null;
  }
}
