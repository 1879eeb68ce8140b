import type { BulkResult } from '@parts-forge/contract/orders/order-bulk';
import { gatherMails } from '#src/mail-outbox/write-mail.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Platform } from '#src/platform/platform.ts';

/** One line of many. A failure of ours is logged, and the other lines go on. */
export async function tryLine(
  { log }: Pick<Platform, 'log'>,
  id: string,
  work: () => Promise<unknown>,
): Promise<BulkResult> {
  try {
    await work();
    return { id, ok: true };
  } catch (error) {
    if (!(error instanceof Problem)) log.error({ err: error, order: id }, 'a line of many failed');
    const { code, message } = error instanceof Problem ? error : new Problem('internal');
    return { id, ok: false, error: { code, detail: message } };
  }
}

/** One after the other; customers get one mail each. @returns a result for each order */
export const actInTurn = (
  platform: Platform,
  orderIds: readonly string[],
  act: (orderId: string) => Promise<unknown>,
): Promise<BulkResult[]> =>
  gatherMails(platform, async () => {
    const results: BulkResult[] = [];
    for (const id of orderIds) results.push(await tryLine(platform, id, () => act(id)));
    return results;
  });
