import { describeBox } from '@parts-forge/contract/orders/box';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useState } from 'react';
import { AddParcel } from '#app/orders/parcels/add-parcel.tsx';
import { RemovableParcels } from '#app/orders/parcels/removable-parcels.tsx';
import { explainHold, findCaution } from '#app/orders/pick-list/order-shipping.ts';
import { Button } from '#app/ui/button.tsx';
import { Panel } from '#app/ui/panel.tsx';

/** The parcels of an accepted order. */
export function ClerkOrderParcels({ order }: { order: Order }) {
  const { shipments = [] } = order;
  const [isAdding, setAdding] = useState(false);
  return (
    <Panel heading="Parcels" className="mt-6">
      <p className="num text-muted">{explainHold(order) ?? `${describeBox(order)}.`}</p>
      {findCaution(order) && <p className="mt-1 font-medium">{findCaution(order)?.advice}</p>}
      <RemovableParcels parcels={shipments.map((parcel) => ({ ...parcel, orders: [order] }))} />
      <Button kind="line" size="bar" className="mt-4" onClick={() => setAdding(true)}>
        Add parcel
      </Button>
      {isAdding && <AddParcel id={order._id} onClose={() => setAdding(false)} />}
    </Panel>
  );
}
