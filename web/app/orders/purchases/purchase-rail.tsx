import type { OrderEvent, TrailActor } from '@parts-forge/contract/events/trail';
import { formatCount } from '@parts-forge/contract/money/money';
import { Link } from 'react-router';
import { isAcceptable } from '#app/orders/clerk/use-acceptance.tsx';
import { ParcelList } from '#app/orders/parcels/parcel-list.tsx';
import { RemovableParcels } from '#app/orders/parcels/removable-parcels.tsx';
import { groupSheets } from '#app/orders/pick-list/group-sheets.ts';
import { isInNoParcel, isToSend } from '#app/orders/states/order-conditions.ts';
import { describeEntry, nameActor } from '#app/trail/describe-event.ts';
import { Facts } from '#app/trail/facts.tsx';
import { listFacts } from '#app/trail/list-facts.ts';
import { Button } from '#app/ui/button.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { useShop } from '#app/ui/shop.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { listParcels, type PurchaseProps, type SharedParcel } from './describe-purchase.ts';
import type { Ask } from './purchase-page-acts.tsx';

interface PurchaseRailProps extends PurchaseProps {
  /** Newest first. */
  trail: readonly OrderEvent[];
  ask: Ask;
}

/** What belongs to all lines: parcels, address, trail. */
export function PurchaseRail({ orders, isForAdmin, trail, ask }: PurchaseRailProps) {
  const shopName = useShop().name;
  return (
    <div className="grid content-start gap-4">
      <Parcels orders={orders} isForAdmin={isForAdmin} ask={ask} />
      <Addresses orders={orders} isForAdmin={isForAdmin} />
      <section className="pf-panel pf-rail" aria-labelledby="trail-heading">
        <div className="top">
          <h2 id="trail-heading">Trail</h2>
          <span className="sub">newest first</span>
        </div>
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

/** Once there is one, or something for it. */
function Parcels({ orders, isForAdmin, ask }: Omit<PurchaseRailProps, 'trail'>) {
  const online = useOnline();
  const parcels = listParcels(orders);
  const [box] = groupSheets(orders.filter(isToSend));
  const inNone = orders.filter(isInNoParcel).length;
  if (parcels.length === 0 && !box) return null;
  return (
    <section className="pf-panel pf-rail" aria-labelledby="parcels-heading">
      <div className="top">
        <h2 id="parcels-heading">Parcels</h2>
        {isForAdmin && box && orders.some(isAcceptable) && (
          <Button kind="line" size="row" disabled={!online} onClick={() => ask('parcel', box)}>
            Add parcel
          </Button>
        )}
      </div>
      {isForAdmin ? (
        <RemovableParcels parcels={parcels} note={countLines} />
      ) : (
        <ParcelList parcels={parcels} note={countLines} />
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
  );
}

const countLines = ({ orders }: SharedParcel) => formatCount(orders.length, 'line');

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
