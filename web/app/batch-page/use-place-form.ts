import { toAmount } from '@parts-forge/contract/money/money';
import { useNavigate } from 'react-router';
import { BATCH_PATH } from '#app/batch/browser-batch.ts';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import type { Delivery } from '#app/placing/delivery-form.ts';
import { useDelivery } from '#app/placing/use-delivery.ts';
import { usePlaceBatch } from './queries.ts';
import type { LineOnPage } from './use-batch-lines.ts';

export type PlaceForm = ReturnType<typeof usePlaceForm>;

/**
 * Delivery fields and submit, with the last attempt's outcome.
 * @param rows the lines that are ready
 * @param onPlaced receives the parts of the placed lines
 */
export function usePlaceForm(
  email: string,
  rows: readonly LineOnPage[],
  onPlaced: (productIds: readonly string[]) => void,
) {
  const entries = useDelivery(email, { name: 'batch' });
  const { form, reference, setReference } = entries;
  const placing = usePlaceBatch(email);
  const navigate = useNavigate();
  const submit = async ({ address, phone }: Delivery) => {
    if (rows.length === 0 || !placing.canSend || placing.isPending) return;
    // A line whose typed quantity is not saved would stay in the batch.
    for (const row of rows) row.save();
    const lines = rows.map(({ product, pieces, totalCents }) => ({
      productId: product._id,
      quantity: pieces,
      totalPrice: toAmount(totalCents),
    }));
    try {
      const body = { email, address, phone, ...(reference.trim() && { reference }), lines };
      const { batch } = await placing.place(body);
      // The reference belongs to this batch only.
      setReference('');
      onPlaced(lines.map(({ productId }) => productId));
      await navigate(`${BATCH_PATH}/${batch}`);
    } catch (error) {
      showFieldErrors(form, error, ['address', 'phone']);
    }
  };
  return { ...placing, ...entries, submit };
}
