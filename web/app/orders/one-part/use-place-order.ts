import { type orderRequestSchema, placeOrder } from '@parts-forge/contract/orders/orders';
import type { Product } from '@parts-forge/contract/products/products';
import { useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { callShop } from '#app/calls/api-client.ts';
import { ShopProblem } from '#app/http/errors.ts';
import { usePlacing } from '#app/placing/use-placing.ts';
import { productQueryOptions } from '#app/products/queries.ts';

export type OrderRequest = z.input<typeof orderRequestSchema>;

/** Places orders of one product; resolves once its stock is fresh. */
export function usePlaceOrder(productId: string, email: string) {
  const queries = useQueryClient();
  const { queryKey } = productQueryOptions(productId);
  return usePlacing({
    name: `order:${productId}`,
    email,
    getChoice,
    call: (body: OrderRequest, headers) => callShop(placeOrder, { body, headers }),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: ['orders'] });
      await queries.invalidateQueries({ queryKey: ['products'] });
    },
    onError: async (error) => {
      if (!(error instanceof ShopProblem)) return;
      const { quantity, price } = error.body;
      // A refusal has one quantity's price, as this customer pays it; a part has several, with tax.
      if (isAboutPart(error.code) || price !== undefined) {
        // The customer may pay tax by now, or none, and an agreed price may have ended.
        const keys = [['user', email], ['own-prices'], queryKey];
        await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: key })));
        return;
      }
      // Otherwise the refusal has the current stock.
      queries.setQueryData<Product>(
        queryKey,
        (known) => known && { ...known, ...(quantity !== undefined && { quantity }) },
      );
    },
  });
}

/** Price, name and picture can change without the customer. */
const getChoice = ({ productId, quantity, address, phone, reference }: OrderRequest) => ({
  productId,
  quantity,
  address,
  phone,
  reference,
});

/** The part is stale: the quantity may have been valid for it. */
const isAboutPart = (code: ShopProblem['code']): boolean =>
  code === 'below-minimum' || code === 'wrong-step' || code === 'amount-too-large';
