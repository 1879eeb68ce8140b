import { type orderRequestSchema, placeOrder } from '@parts-forge/contract/orders';
import type { Product } from '@parts-forge/contract/products';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { callShop } from '#app/calls/api-client.ts';
import { retryWithFreshProof } from '#app/calls/retry-with-fresh-proof.ts';
import { useSentOnce } from '#app/calls/use-sent-once.ts';
import { ShopProblem } from '#app/http/errors.ts';
import { productQueryOptions } from '#app/products/queries.ts';

/** What `POST /order` is sent. */
export type OrderRequest = z.input<typeof orderRequestSchema>;

/**
 * Places orders of one product. Done when the product is shown with its stock as it is now. The same order sent
 * again after a broken connection is placed once: the key stays, over a reload too, until something else is chosen or
 * an order stands. `isUnanswered`: one was sent and no answer came; `forgetUnanswered`: it is known what became of it.
 */
export function usePlaceOrder(productId: string, email: string) {
  const queries = useQueryClient();
  const { send, isUnanswered, forget } = useSentOnce(`order:${productId}`, email, getChoice);
  const { queryKey } = productQueryOptions(productId);
  const order = useMutation({
    mutationFn: (request: OrderRequest) =>
      send(request, (body, headers) => retryWithFreshProof(() => callShop(placeOrder, { body, headers }))),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: ['orders'] });
      await queries.invalidateQueries({ queryKey: ['products'] });
    },
    onError: async (error) => {
      if (!(error instanceof ShopProblem)) return;
      const { quantity, price } = error.body;
      const hasBreaks = (queries.getQueryData<Product>(queryKey)?.priceBreaks.length ?? 0) > 0;
      // The price of a refusal is that of one quantity; a part with price breaks has others.
      if (isAboutPart(error.code) || (price !== undefined && hasBreaks)) {
        await queries.invalidateQueries({ queryKey });
        return;
      }
      // Else the refusal says how it is now, and nothing needs to be asked for.
      queries.setQueryData<Product>(
        queryKey,
        (known) =>
          known && {
            ...known,
            ...(quantity !== undefined && { quantity }),
            ...(price !== undefined && { price }),
          },
      );
    },
  });
  const forgetUnanswered = () => {
    forget();
    order.reset();
  };
  return { ...order, isUnanswered, forgetUnanswered };
}

/** Price, name and picture come from the part, the name from the profile: they may change while nobody types. */
const getChoice = ({ productId, quantity, address, phone, reference }: OrderRequest) => ({
  productId,
  quantity,
  address,
  phone,
  reference,
});

/** What was refused may have been right when the part was read. */
const isAboutPart = (code: ShopProblem['code']): boolean =>
  code === 'below-minimum' || code === 'wrong-step' || code === 'amount-too-large';
