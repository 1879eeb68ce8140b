import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { countToSend } from '@parts-forge/contract/orders/box';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { PackageSearch } from 'lucide';
import { useId } from 'react';
import { Link, useSearchParams } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { PageHeading, ParentLink } from '#app/dashboard/page-heading.tsx';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { MoneyChip } from '#app/orders/money/order-money.tsx';
import { getButtonClasses } from '#app/ui/button.tsx';
import { focusableWhereItScrolls } from '#app/ui/focusable-where-it-scrolls.ts';
import { formatDay } from '#app/ui/format-day.ts';
import { Notice } from '#app/ui/notice.tsx';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import type { Route } from './+types/pick-list';
import { groupSheets, listPurchases } from './group-sheets.ts';
import { explainHold, findCaution } from './order-shipping.ts';
import { PickListChoice } from './pick-list-choice.tsx';
import { describePick, getSlipsPath, type PickFilter, readPickFilter } from './pick-list-filter.ts';
import { MAX_PICKED, pickedOrdersQueryOptions } from './pick-list-queries.ts';
import { PrintButton } from './print-button.tsx';
import { type PickedPart, sumParts } from './sum-parts.ts';
import { useTicks } from './use-ticks.ts';

export const clientLoader = ({ request }: Route.ClientLoaderArgs) =>
  prefetch(pickedOrdersQueryOptions(readPickFilter(new URL(request.url).searchParams)));

/** Prints the parts of several orders added up, and each order's destination. */
export default function PickList() {
  const [search] = useSearchParams();
  const filter = readPickFilter(search);
  const picked = useQuery(pickedOrdersQueryOptions(filter));
  return (
    <>
      <PageHeading
        title="Pick list"
        above={<ParentLink to="/dashboard/manage-orders">All Orders</ParentLink>}
        actions={
          <div className="flex flex-wrap gap-3 print:hidden">
            <Link className={getButtonClasses('line', 'bar', 'bg-base-100')} to="/dashboard/parcels-csv">
              Parcels by CSV
            </Link>
            {filter.chosen.length > 0 && (
              <Link
                className={getButtonClasses('line', 'bar', 'bg-base-100')}
                to={getSlipsPath(filter.chosen)}
              >
                Packing slips
              </Link>
            )}
            {picked.data && picked.data.orders.length > 0 && <PrintButton />}
          </div>
        }
      />
      {filter.chosen.length === 0 && <PickListChoice filter={filter} />}
      <QueryPanel query={picked} what="The orders" skeleton={<WorkSkeleton rows={6} />}>
        {(found) => <Lists {...found} filter={filter} />}
      </QueryPanel>
    </>
  );
}

function Lists({
  orders,
  hasMore,
  filter,
}: {
  orders: readonly Order[];
  hasMore: boolean;
  filter: PickFilter;
}) {
  const timeZone = useShopTimeZone();
  const toHold = orders.filter((order) => explainHold(order) !== null);
  const toSend = orders.filter((order) => countToSend(order) > 0);
  const sent = orders.length - toSend.length - toHold.length;
  const parts = sumParts(toSend);
  if (orders.length === 0) {
    return (
      <Notice icon={PackageSearch} title="Nothing to pick">
        {filter.chosen.length > 0
          ? 'The chosen orders were cancelled, refunded or have expired.'
          : filter.status === 'paid'
            ? 'Every accepted order of this time was sent.'
            : 'No order waits for acceptance now.'}
      </Notice>
    );
  }
  return (
    <>
      <p className="num mb-4 text-sm text-muted">
        {formatCount(toSend.length, 'order')}, {formatCount(parts.length, 'part')}.
        {toHold.length > 0 && ` ${formatCount(toHold.length, 'order')} not to be sent.`}
        {sent > 0 && ` ${formatCount(sent, 'order')} sent before.`}
        {filter.chosen.length === 0 && ` ${describePick(filter, timeZone)}`}
        {hasMore && ` The oldest ${MAX_PICKED} orders are on this list; print it, then work it off.`}
      </p>
      {toSend.length > 0 && (
        <>
          <PartsTable parts={parts} />
          <Destinations title="Where it goes" orders={toSend} />
        </>
      )}
      {toHold.length > 0 && <Destinations title="Not to be sent" orders={toHold} />}
    </>
  );
}

/** Another order of the part needs another look. */
const nameTick = (productId: string, orders: readonly Order[]): string =>
  `${productId}:${orders.map(({ number }) => number).join()}`;

function PartsTable({ parts }: { parts: readonly PickedPart[] }) {
  const { isTicked, toggle } = useTicks();
  return (
    <section
      aria-label="Parts to pick"
      ref={focusableWhereItScrolls}
      className="pf-panel overflow-x-auto print:overflow-visible print:border-0"
    >
      <table className="pf-print num">
        <caption className="sr-only">Parts to pick, for all orders together</caption>
        <thead>
          <tr>
            <th scope="col">Picked</th>
            <th scope="col">Part</th>
            <th scope="col" className="r">
              Pieces
            </th>
            <th scope="col">For orders</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ productId, name, number, quantity, orders }) => (
            <tr key={productId}>
              <td>
                <input
                  type="checkbox"
                  className="checkbox checkbox-neutral size-6 rounded-[3px]"
                  aria-label={`Picked: ${name}`}
                  checked={isTicked(nameTick(productId, orders))}
                  onChange={() => toggle(nameTick(productId, orders))}
                />
              </td>
              <th scope="row" className="min-w-28 [overflow-wrap:anywhere]">
                {name}
                <span className="block text-micro font-normal text-muted">{number}</span>
              </th>
              <td className="r font-semibold">{formatPieces(quantity)}</td>
              <td className="min-w-40">{orders.map(describeShare).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function describeShare(order: Order): string {
  const caution = findCaution(order);
  return `${order.number}\u00a0×\u00a0${formatPieces(countToSend(order))}${caution ? ` (${caution.mark})` : ''}`;
}

function Destinations({ title, orders }: { title: string; orders: readonly Order[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-10 print:mt-6">
      <h2 id={id} className="display mb-4 text-h3">
        {title}
      </h2>
      <ul className="grid gap-4 md:grid-cols-2 print:grid-cols-2">
        {groupSheets(orders).map((box) => (
          <Destination key={box[0]?._id} orders={box} />
        ))}
      </ul>
    </section>
  );
}

/** Expects the orders of one box. */
function Destination({ orders }: { orders: readonly Order[] }) {
  const timeZone = useShopTimeZone();
  const [first] = orders;
  if (!first) return null;
  const { name, address, phone, createdAt, reference } = first;
  const numbers = orders.map(({ number }) => number).join(', ');
  const purchases = listPurchases(orders);
  return (
    <li className="pf-panel break-inside-avoid p-5">
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="num font-semibold">
          {orders.length === 1 ? 'Order' : 'Orders'} {numbers}
        </h3>
        <Link
          className="pf-link inline-flex min-h-6 shrink-0 items-center text-sm print:hidden"
          to={getSlipsPath(orders.map(({ _id }) => _id))}
          aria-label={`Packing slip of order ${numbers}`}
        >
          Packing slip
        </Link>
      </div>
      <p className="num text-sm text-muted">
        {purchases !== '' && `Purchase ${purchases}, `}
        {formatDay(createdAt, timeZone)}
        {reference !== undefined && `, ${reference}`}
      </p>
      {orders.map((order) => (
        <div key={order._id} className="num mt-3 [overflow-wrap:anywhere]">
          {formatPieces(countToSend(order) || order.quantity)} × {order.productName}{' '}
          {/* The packer must see a dispute or a partial refund. */}
          <MoneyChip order={order} />
          <p className="font-medium">{explainHold(order)}</p>
        </div>
      ))}
      <address className="num mt-3 whitespace-pre-line not-italic leading-6 [overflow-wrap:anywhere]">
        {name}
        {'\n'}
        {address}
        {'\n'}
        {phone}
      </address>
    </li>
  );
}
