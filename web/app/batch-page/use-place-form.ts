import { toAmount } from '@parts-forge/contract/money/money';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { BATCH_PATH } from '#app/batch/browser-batch.ts';
import { getRetryAfterSeconds } from '#app/errors/describe-error.ts';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import { createFormDraft, useDraft } from '#app/forms/use-draft.ts';
import { type Delivery, emptyDelivery, useDeliveryForm } from '#app/orders/purchase/delivery-form.ts';
import { useLastDelivery } from '#app/orders/purchase/use-last-delivery.ts';
import { useCountdown } from '#app/ui/use-countdown.ts';
import { useOnline } from '#app/ui/use-online.ts';
import { usePlaceBatch } from './queries.ts';
import type { LineOnPage } from './use-batch-lines.ts';

/** Delivery fields and submit, with the last attempt's outcome. */
export function usePlaceForm(email: string, rows: readonly LineOnPage[]) {
  const { form, reference, setReference } = useDelivery(email);
  const placing = usePlaceBatch(email);
  const navigate = useNavigate();
  const secondsLeft = useCountdown(getRetryAfterSeconds(placing.error), placing.error);
  const isOnline = useOnline();
  const refusedLines = rows.filter(({ problem }) => problem !== null);

  const submit = async ({ address, phone }: Delivery) => {
    if (refusedLines.length > 0 || !isOnline || secondsLeft > 0 || placing.isPending) return;
    // A line whose typed quantity is not saved would stay in the batch.
    for (const row of rows) row.save();
    const lines = rows.map(({ product, pieces, totalCents }) => ({
      productId: product._id,
      quantity: pieces,
      totalPrice: toAmount(totalCents),
    }));
    try {
      const body = { email, address, phone, ...(reference.trim() && { reference }), lines };
      const { batch } = await placing.mutateAsync(body);
      // The reference belongs to this batch only.
      setReference('');
      await navigate(`${BATCH_PATH}/${batch}`);
    } catch (error) {
      showFieldErrors(form, error, ['address', 'phone']);
    }
  };
  return {
    form,
    reference,
    setReference,
    submit,
    error: placing.error,
    /** The last batch's response was lost, now or before a reload. */
    isUnanswered: placing.isUnanswered,
    /** No attempt since the page opened. */
    isIdle: placing.isIdle,
    /** The outcome is known, so the same lines make a new batch. */
    forgetUnanswered: placing.forgetUnanswered,
    /** Lines that cannot be ordered as they are. */
    refusedLines,
    /** Online, and no `Retry-After` is running. */
    canSend: isOnline && secondsLeft === 0,
    secondsLeft,
  };
}

export type PlaceForm = ReturnType<typeof usePlaceForm>;

/** The form's fields, kept as a draft. */
function useDelivery(email: string) {
  const form = useDeliveryForm();
  const [reference, setReference] = useState('');
  const offered = useLastDelivery(email, form);
  // Prefilled values do not count as typed.
  const delivery = createFormDraft(form, { ...emptyDelivery, ...offered });
  useDraft('batch', email, {
    read: () => ({ ...delivery.read(), reference }),
    initial: { ...delivery.initial, reference: '' },
    restore: ({ reference: text, ...entries }) => {
      delivery.restore(entries);
      if (text !== undefined) setReference(text);
    },
  });
  return { form, reference, setReference };
}
