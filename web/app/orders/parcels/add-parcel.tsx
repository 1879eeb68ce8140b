import { MAX_PARCEL_NUMBER } from '@parts-forge/contract/calls/bounds';
import { readPieces } from '@parts-forge/contract/files/number-text';
import { formatCount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { findDespite, type NewShipment } from '@parts-forge/contract/orders/shipments';
import { beginSentDay, readDay } from '@parts-forge/contract/text/days';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { FormDialog } from '#app/forms/form-dialog.tsx';
import { ShopProblem } from '#app/http/errors.ts';
import { useAddParcel, useAddParcels } from '#app/orders/queries.ts';
import { Field } from '#app/ui/field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { CarrierField } from './carrier-field.tsx';

/** What the shop asks about is added at the second press. */
export function AddParcel({ id, onClose }: { id: string; onClose: () => void }) {
  const add = useAddParcel(id);
  const { error } = add;
  const despite = findDespite(getProblemCode(error));
  // Codes have sentences about acceptance.
  const asked = despite && error instanceof ShopProblem ? new Error(error.detail) : error;
  return (
    <ParcelDialog
      title="Add parcel"
      confirm={despite ? 'Add it all the same' : 'Add parcel'}
      state={{ isPending: add.isPending, error: asked }}
      onClose={onClose}
      onSend={(parcel) => add.mutate({ ...parcel, despite }, { onSuccess: onClose })}
    />
  );
}

interface AddBoxProps {
  /** They go into one box. */
  orders: readonly Order[];
  onRefused: (order: Order, error: Error) => void;
  onAdded: (orders: readonly Order[]) => void;
  onClose: () => void;
}

/** One parcel for several orders, with all that they have left. */
export function AddBox({ orders, onRefused, onAdded, onClose }: AddBoxProps) {
  const add = useAddParcels();
  // The same for all.
  const wrong = add.data?.every(({ error }) => error?.code === 'invalid') ? add.data[0]?.error : undefined;
  const send = (parcel: NewShipment) =>
    add.mutate(
      orders.map(({ _id: order }) => ({ ...parcel, order })),
      {
        onSuccess: (results) => {
          const added = orders.filter((_, at) => results[at]?.ok);
          if (results.every(({ error }) => error?.code === 'invalid')) return;
          for (const [at, order] of orders.entries()) {
            const refusal = results[at]?.error;
            if (refusal) onRefused(order, new Error(refusal.detail));
          }
          if (added.length > 0)
            toast('success', `Parcel added to ${added.length} of ${formatCount(orders.length, 'order')}`);
          onAdded(added);
          onClose();
        },
      },
    );
  return (
    <ParcelDialog
      title={`One parcel for ${formatCount(orders.length, 'order')}`}
      confirm="Add parcel"
      isWhole
      state={{ isPending: add.isPending, error: wrong ? new Error(wrong.detail) : add.error }}
      onClose={onClose}
      onSend={send}
    />
  );
}

interface ParcelDialogProps extends Pick<Parameters<typeof FormDialog>[0], 'title' | 'confirm' | 'state'> {
  /** Without a number of pieces. */
  isWhole?: boolean;
  onClose: () => void;
  onSend: (parcel: NewShipment) => void;
}

function ParcelDialog({ isWhole = false, onSend, ...dialog }: ParcelDialogProps) {
  const timeZone = useShopTimeZone();
  const send = ({ carrier = '', number = '', sentAt: day = '', quantity: pieces = '' }) => {
    const sentAt = beginSentDay(day, timeZone);
    const quantity = pieces.trim() === '' ? undefined : readPieces(pieces);
    onSend({ carrier, number, sentAt, quantity });
  };
  return (
    <FormDialog {...dialog} onSend={send}>
      {(field) => (
        <>
          <CarrierField data-focus-first {...field('carrier')} />
          <Field
            label="Parcel number"
            maxLength={MAX_PARCEL_NUMBER}
            autoComplete="off"
            hint="The customer gets a mail with it."
            {...field('number')}
          />
          <Field
            label="Date sent"
            type="date"
            defaultValue={readDay(new Date(), timeZone)}
            {...field('sentAt')}
          />
          {!isWhole && <Field label="Pieces in it (optional)" inputMode="numeric" {...field('quantity')} />}
        </>
      )}
    </FormDialog>
  );
}
