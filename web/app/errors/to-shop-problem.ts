import { problems, problemType } from '@parts-forge/contract/calls/problems';
import type { BulkResult } from '@parts-forge/contract/orders/order-bulk';
import { ShopProblem } from '#app/http/errors.ts';

/** The refusal of a line as if it were the answer. */
export const toShopProblem = ({ code, detail }: NonNullable<BulkResult['error']>): ShopProblem =>
  new ShopProblem(problems[code].status, { type: problemType(code), detail }, new Headers());
