import { describeBox } from '@parts-forge/contract/orders/box';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { Shipment } from '@parts-forge/contract/orders/shipments';
import { useState } from 'react';
import { FormError } from '#app/forms/form-error.tsx';
import { AddParcel } from '#app/orders/parcels/add-parcel.tsx';
import { ParcelList } from '#app/orders/parcels/parcel-list.tsx';
import { explainHold, findCaution } from '#app/orders/pick-list/order-shipping.ts';
import { useRemoveParcel } from '#app/orders/queries.ts';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Panel } from '#app/ui/panel.tsx';

/** The parcels of an accepted order. */
export function ClerkOrderParcels({ order }: { order: Order }) {
  const { shipments = [] } = order;
  const [isAdding, setAdding] = useState(false);
  const [mistake, setMistake] = useState<Shipment | null>(null);
  const removal = useRemoveParcel(order._id);
  return (
    <Panel heading="Parcels" className="mt-6">
      <FormError error={removal.error} />
      <p className="num text-muted">{explainHold(order) ?? `${describeBox(order)}.`}</p>
      {findCaution(order) && <p className="mt-1 font-medium">{findCaution(order)?.advice}</p>}
      <ParcelList
        parcels={shipments}
        action={(parcel) => (
          <Button
            kind="danger-line"
            size="row"
            aria-label={`Remove ${parcel.carrier} ${parcel.number}`}
            onClick={() => setMistake(parcel)}
          >
            Remove
          </Button>
        )}
      />
      <Button kind="line" size="bar" className="mt-4" onClick={() => setAdding(true)}>
        Add parcel
      </Button>
      {isAdding && <AddParcel id={order._id} onClose={() => setAdding(false)} />}
      {mistake && (
        <ConfirmDialog
          title="Remove this parcel?"
          safe="Keep parcel"
          confirm="Remove parcel"
          busy={removal.isPending}
          onClose={() => setMistake(null)}
          onConfirm={() => removal.mutate(mistake._id, { onSettled: () => setMistake(null) })}
        >
          <bdi>
            {mistake.carrier} {mistake.number}
          </bdi>{' '}
          leaves the order. If the customer had a mail of it, another says so.
        </ConfirmDialog>
      )}
    </Panel>
  );
}
