import { formatPieces } from '@parts-forge/contract/money/money';
import { findParcelPage } from '@parts-forge/contract/orders/carriers';
import type { Shipment } from '@parts-forge/contract/orders/shipments';
import type { ReactNode } from 'react';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { formatDay } from '#app/ui/format-day.ts';

interface ParcelListProps<Parcel extends Shipment> {
  parcels: readonly Parcel[];
  /** Below its number. */
  note?: ((parcel: Parcel) => string) | undefined;
  /** At the end of a parcel's line. */
  action?: (parcel: Parcel) => ReactNode;
}

/** A number links to the page of its carrier, if that is known. */
export function ParcelList<Parcel extends Shipment>({ parcels, note, action }: ParcelListProps<Parcel>) {
  const timeZone = useShopTimeZone();
  return (
    <ul className="divide-y divide-base-300">
      {parcels.map((parcel) => (
        <li key={parcel._id} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-2.5">
          <div className="num min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
            <bdi>{parcel.carrier}</bdi> <ParcelNumber parcel={parcel} />
            <p className="text-sm text-muted">
              sent {formatDay(parcel.sentAt, timeZone)}
              {parcel.quantity !== undefined && `, ${formatPieces(parcel.quantity)} pieces`}
              {note && `, ${note(parcel)}`}
            </p>
          </div>
          {action?.(parcel)}
        </li>
      ))}
    </ul>
  );
}

function ParcelNumber({ parcel }: { parcel: Shipment }) {
  const page = findParcelPage(parcel);
  if (page === null) return <bdi>{parcel.number}</bdi>;
  return (
    <a className="pf-link inline-flex min-h-6 items-center" href={page} rel="noreferrer">
      <bdi>{parcel.number}</bdi>
    </a>
  );
}
