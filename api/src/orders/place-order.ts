import { toCents } from '@parts-forge/contract/money/money';
import { type CheckedOrderRequest, placeOrder as placeOrderCall } from '@parts-forge/contract/orders/orders';
import { idPattern } from '@parts-forge/contract/text/text';
import { Problem } from '#src/platform/core/problem.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { buildPlacement } from './build-placement.ts';
import { explainRefusal, findOrderables } from './explain-refusal.ts';
import type { OrderQueue } from './order-queue.ts';
import { placeOrRefuse } from './place-or-refuse.ts';

/**
 * docs/reference/calls.md, "POST /order". Idempotent by `idempotencyKey`.
 * @throws Problem as the call lists: `price-changed` has the present price, `above-stock` the present stock
 */
export async function placeOrder(
  platform: Pick<Platform, 'config' | 'database' | 'changes' | 'clock' | 'ids'>,
  queue: OrderQueue,
  customer: Customer,
  request: CheckedOrderRequest,
  idempotencyKey: string | undefined,
): Promise<string> {
  const { email, productId } = request;
  if (!idPattern.test(productId)) throw new Problem('not-found');
  return placeOrRefuse(platform, customer, {
    call: placeOrderCall,
    email,
    idempotencyKey,
    content: listContent(request),
    async place(key, isFirstTry) {
      const placement = buildPlacement(platform, customer, request, request, { key });
      if (!placement) return null;
      // In a group an order may fail because of one before it.
      const left = await (isFirstTry ? queue.place(placement) : queue.placeAlone(placement));
      if (!left) return null;
      platform.changes.publishOrder(left);
      return placement.id;
    },
    findPlaced: async (orderId) => orderId,
    async findRefusal() {
      const products = await findOrderables(platform, customer.userId, [request]);
      return explainRefusal(request, products, 'quantity');
    },
  });
}

function listContent({ productId, quantity, totalPrice, address, phone, reference }: CheckedOrderRequest) {
  const content = [productId.toLowerCase(), quantity, toCents(totalPrice), address, phone];
  // Keys older than references were hashed without one.
  if (reference) content.push(reference);
  return content;
}
