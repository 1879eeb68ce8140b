import type { OrderEvent, TrailActor } from '@parts-forge/contract/events/trail';
import { formatCount } from '@parts-forge/contract/money/money';
import { Link } from 'react-router';
import { ParcelList } from '#app/orders/parcels/parcel-list.tsx';
import { RemovableParcels } from '#app/orders/parcels/removable-parcels.tsx';
import { isInNoParcel } from '#app/orders/states/order-conditions.ts';
import { describeEntry, nameActor } from '#app/trail/describe-event.ts';
import { Facts } from '#app/trail/facts.tsx';
import { listFacts } from '#app/trail/list-facts.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { useShop } from '#app/ui/shop.tsx';
import { listParcels, type PurchaseProps, type SharedParcel } from './describe-purchase.ts';

interface PurchaseRailProps extends PurchaseProps {
  /** Newest first. */
  trail: readonly OrderEvent[];
}

/** What belongs to all lines: parcels, address, trail. */
export function PurchaseRail({ orders, isForAdmin, trail }: PurchaseRailProps) {
  const shopName = useShop().name;
  const parcels = listParcels(orders);
  const inNone = orders.filter(isInNoParcel).length;
  return (
    <div className="grid content-start gap-4">
      {(parcels.length > 0 || inNone > 0) && (
        <section className="pf-panel pf-rail" aria-labelledby="parcels-heading">
          <h2 id="parcels-heading">Parcels</h2>
          {isForAdmin ? (
            <RemovableParcels parcels={parcels} note={countLines} />
          ) : (
            <ParcelList parcels={parcels} action={countLines} />
          )}
          {inNone > 0 && (
            <p className="num sub">
              {inNone === 1 ? '1 line is' : `${inNone} lines are`} in no parcel:{' '}
              <Link className="pf-link" to="?show=no-parcel" preventScrollReset>
                show {inNone === 1 ? 'it' : 'them'}
              </Link>
            </p>
          )}
        </section>
      )}
      <Addresses orders={orders} isForAdmin={isForAdmin} />
      <section className="pf-panel pf-rail" aria-labelledby="trail-heading">
        <h2 id="trail-heading">Trail</h2>
        <ol>
          {trail.map((entry) => (
            <li key={`${entry.at} ${entry.event}`}>
              <time className="num sub" dateTime={entry.at}>
                {formatMoment(entry.at)}
              </time>
              <p className="num [overflow-wrap:anywhere]">
                <bdi>{isForAdmin ? nameActor(entry.by, shopName) : nameForCustomer(entry.by, shopName)}</bdi>{' '}
                <span className="text-muted">
                  {describeEntry(entry)}
                  {listFacts(entry).length > 0 && ': '}
                  <Facts facts={listFacts(entry)} />
                </span>
              </p>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

const countLines = ({ orders }: SharedParcel) => (
  <span className="num sub">{formatCount(orders.length, 'line')}</span>
);

/** Administrators act for the shop. */
function nameForCustomer(by: TrailActor, shopName: string): string {
  if (by.kind === 'user') return 'You';
  return by.kind === 'admin' ? shopName : nameActor(by, shopName);
}

/** One, unless some were corrected. */
function Addresses({ orders, isForAdmin }: PurchaseProps) {
  const places = new Map(
    orders.map(({ name, address, phone, email, reference }) => [
      JSON.stringify([address, phone]),
      { name, address, phone, email, reference },
    ]),
  );
  return [...places].map(([key, { name, address, phone, email, reference }]) => (
    <section key={key} className="pf-panel pf-rail [overflow-wrap:anywhere]" aria-label="Deliver to">
      <h2>Deliver to</h2>
      {isForAdmin && (
        <p className="font-medium">
          <Link className="pf-link" to={`/dashboard/customers/${encodeURIComponent(email)}`}>
            <bdi>{name}</bdi>
          </Link>
        </p>
      )}
      <address className="whitespace-pre-line not-italic" dir="auto">
        {address}
      </address>
      <p className="num sub">{phone}</p>
      {reference !== undefined && (
        <p className="sub mt-2">
          Reference <bdi className="num text-base-content">{reference}</bdi>
        </p>
      )}
    </section>
  ));
}
