import { formatCount } from '@parts-forge/contract/money/money';
import { useState } from 'react';
import { ConfirmChange } from '#app/forms/confirm-change.tsx';
import type { SharedParcel } from '#app/orders/purchases/describe-purchase.ts';
import { useRemoveParcel } from '#app/orders/queries.ts';
import { Button } from '#app/ui/button.tsx';
import { ParcelList } from './parcel-list.tsx';

interface RemovableParcelsProps {
  parcels: readonly SharedParcel[];
  /** `ParcelList` explains it. */
  note?: (parcel: SharedParcel) => string;
}

/** Removing asks first, and takes a parcel from all of its orders. */
export function RemovableParcels({ parcels, note }: RemovableParcelsProps) {
  const [mistake, setMistake] = useState<SharedParcel | null>(null);
  return (
    <>
      <ParcelList
        parcels={parcels}
        note={note}
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
      {mistake && <RemoveParcel parcel={mistake} onClose={() => setMistake(null)} />}
    </>
  );
}

function RemoveParcel({ parcel, onClose }: { parcel: SharedParcel; onClose: () => void }) {
  const { carrier, number, orders } = parcel;
  return (
    <ConfirmChange
      title="Remove this parcel?"
      safe="Keep parcel"
      confirm="Remove parcel"
      change={useRemoveParcel()}
      input={parcel}
      onClose={onClose}
    >
      <bdi>
        {carrier} {number}
      </bdi>{' '}
      leaves {orders.length === 1 ? 'the order' : formatCount(orders.length, 'order')}. If the customer had a
      mail of it, another says so.
    </ConfirmChange>
  );
}
