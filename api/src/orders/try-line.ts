import type { BulkResult } from '@parts-forge/contract/orders/order-bulk';
import { Problem } from '#src/platform/core/problem.ts';
import type { Platform } from '#src/platform/platform.ts';

/** One line of many: its refusal, or undefined. A failure of ours is logged, and the other lines go on. */
export async function tryLine(
  { log }: Pick<Platform, 'log'>,
  order: string,
  work: () => Promise<unknown>,
): Promise<BulkResult['error']> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) log.error({ err: error, order }, 'a line of many failed');
    const { code, message } = error instanceof Problem ? error : new Problem('internal');
    return { code, detail: message };
  }
}
