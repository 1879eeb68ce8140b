/**
 * The rows of tokens that are open, locked like `Actor.confirm` does for one. A part of the statement of
 * `take-stock.ts`, whose `asked` has a token and a time for each order.
 * @param condition in SQL, of what the statement locks before
 */
export const lockAskingTokens = (condition: string): string => `
    select hash from access_tokens
    where hash = any (array(select token_hash from asked)) and ${condition}
      and (expires_at is null or expires_at > (select max(now) from asked))
    order by hash for share`;
