import { formatPieces } from '@parts-forge/contract/money/money';
import { countToSend } from '@parts-forge/contract/orders/box';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { PackageSearch } from 'lucide';
import { useLocation, useSearchParams } from 'react-router';
import { configQueryOptions, useShopTimeZone } from '#app/calls/shop-config.ts';
import { PageHeading, ParentLink } from '#app/dashboard/page-heading.tsx';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { describeMoney, MoneyChip } from '#app/orders/money/order-money.tsx';
import { getOrderPath } from '#app/orders/order-path.ts';
import { focusableWhereItScrolls } from '#app/ui/focusable-where-it-scrolls.ts';
import { formatDay } from '#app/ui/format-day.ts';
import { Logo } from '#app/ui/logo.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { QrCode } from '#app/ui/qr-code.tsx';
import { useShop } from '#app/ui/shop.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { groupSheets, listPurchases } from './group-sheets.ts';
import { explainHold, findCaution } from './order-shipping.ts';
import { readPickFilter } from './pick-list-filter.ts';
import { pickedOrdersQueryOptions } from './pick-list-queries.ts';
import { PrintButton } from './print-button.tsx';

/** One printable slip for each box, without prices. */
export default function PackingSlips() {
  const [chosen] = useSearchParams();
  const picked = useQuery(pickedOrdersQueryOptions(readPickFilter(chosen)));
  const sheets = picked.data && groupSheets(picked.data.orders);
  // The slip has the sender, so printing waits for it.
  const { isPending: isSenderPending } = useQuery(configQueryOptions());
  // The address of the list keeps the choice.
  const { search } = useLocation();
  const title = sheets?.length === 1 ? 'Packing slip' : 'Packing slips';
  return (
    <>
      <div className="print:hidden">
        <PageHeading
          title={title}
          above={<ParentLink to={{ pathname: '/dashboard/pick-list', search }}>Pick list</ParentLink>}
          actions={sheets && sheets.length > 0 && !isSenderPending && <PrintButton />}
        />
      </div>
      <QueryPanel query={picked} what="The orders" skeleton={<Skeleton className="h-96" />}>
        {() => (
          <>
            {sheets?.map((orders) => (
              <Slip key={orders[0]?._id} orders={orders} />
            ))}
          </>
        )}
      </QueryPanel>
      {sheets?.length === 0 && (
        <Notice icon={PackageSearch} title="Nothing to pack">
          The chosen orders were cancelled, refunded or have expired.
        </Notice>
      )}
    </>
  );
}

/** One sheet for a box: orders of one customer to one address under one reference. */
function Slip({ orders }: { orders: readonly Order[] }) {
  const [first] = orders;
  if (!first) return null;
  const numbers = orders.map(({ number }) => number).join(', ');
  const isMixed = orders.length > 1;
  const toSend = orders.filter((order) => countToSend(order) > 0);
  const sent = orders.filter((order) => explainHold(order) === null && !toSend.includes(order));
  const packed = toSend.length > 0 ? toSend : sent;
  const isCopy = packed === sent && sent.length > 0;
  return (
    <article
      aria-label={`Packing slip of order ${numbers}`}
      className="pf-panel grid grid-cols-[minmax(0,1fr)] gap-8 p-6 not-first-of-type:mt-6 sm:p-10 print:mt-0 print:border-0 print:p-0 print:not-last-of-type:break-after-page"
    >
      <div className="flex flex-wrap items-start justify-between gap-4">
        <Sender />
        <h2 className="display text-h3">{isCopy ? 'Packing slip: copy' : 'Packing slip'}</h2>
      </div>
      {groupCautions(orders).map((alike) => (
        <Caution key={alike[0]?._id} orders={alike} isMixed={isMixed} />
      ))}
      <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <Recipient order={first} />
        <Facts orders={orders} />
      </div>
      {packed.length > 0 && <Packed orders={packed} isMixed={isMixed} isCopy={isCopy} />}
      <OrderCode order={isMixed ? null : first} />
    </article>
  );
}

interface PackedProps {
  orders: readonly Order[];
  isMixed: boolean;
  isCopy: boolean;
}

function Packed({ orders, isMixed, isCopy }: PackedProps) {
  return (
    <div className="overflow-x-auto print:overflow-visible" ref={focusableWhereItScrolls}>
      <table className="pf-print num">
        <caption className="sr-only">{isCopy ? 'Sent before' : 'In this box'}</caption>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Part number</th>
            {isMixed && <th scope="col">Order</th>}
            <th scope="col" className="r">
              Pieces
            </th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order._id}>
              <th scope="row" className="min-w-32 [overflow-wrap:anywhere]">
                {order.productName}
              </th>
              <td className="min-w-36 [overflow-wrap:anywhere]">{order.partNumber}</td>
              {isMixed && <td>{order.number}</td>}
              <td className="r font-semibold">
                {formatPieces(countToSend(order) || (order.sent ?? order.quantity))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returned parcels need an address. */
function Sender() {
  const { data } = useQuery(configQueryOptions());
  const seller = data?.seller;
  return (
    <div>
      <p className="display flex items-center gap-2.5 text-[1.125rem] !font-semibold">
        <Logo />
        {useShop().name}
      </p>
      {seller && (
        <address
          aria-label="Sender"
          className="mt-3 whitespace-pre-line text-sm not-italic leading-6 [overflow-wrap:anywhere]"
        >
          <span className="font-semibold">{seller.name}</span>
          {'\n'}
          {seller.address.join('\n')}
        </address>
      )}
    </div>
  );
}

function Recipient({ order }: { order: Order }) {
  return (
    <div>
      <h3 className="mb-2 text-micro text-muted">Ship to</h3>
      <address className="num whitespace-pre-line not-italic leading-6 [overflow-wrap:anywhere]">
        <span className="font-semibold">
          <bdi>{order.name}</bdi>
        </span>
        {order.company && <bdi>{`\n${order.company}`}</bdi>}
        {'\n'}
        {order.address}
        {'\n'}
        {order.phone}
      </address>
    </div>
  );
}

/** Orders with the same caution share it. */
function groupCautions(orders: readonly Order[]): Order[][] {
  const warned = orders.filter((order) => adviseOn(order) !== undefined);
  const alike = Map.groupBy(warned, (order) => `${adviseOn(order)} ${describeMoney(order)?.text}`);
  return [...alike.values()];
}

/** Printed too, since the paper outlives the screen. */
function Caution({ orders, isMixed }: { orders: readonly Order[]; isMixed: boolean }) {
  const [first, ...others] = orders;
  if (!first) return null;
  const numbers = orders.map(({ number }) => number).join(', ');
  return (
    <p role="note" className="rounded-field border border-error p-4 font-medium">
      {isMixed && `${others.length > 0 ? 'Orders' : 'Order'} ${numbers}: `}
      {adviseOn(first)}
      <span className="block print:hidden">
        <MoneyChip order={first} />
      </span>
    </p>
  );
}

function adviseOn(order: Order): string | undefined {
  const hold = explainHold(order);
  if (hold !== null) return `Do not send this. ${hold}`;
  if (countToSend(order) > 0) return findCaution(order)?.advice;
  const parcels = order.shipments?.map(({ carrier, number }) => `${carrier} ${number}`).join(', ');
  return `Do not send this again. It was sent${parcels === undefined ? '' : `: ${parcels}`}.`;
}

function Facts({ orders }: { orders: readonly Order[] }) {
  // As on the invoice.
  const timeZone = useShopTimeZone();
  const days = new Set(orders.map(({ createdAt }) => formatDay(createdAt, timeZone)));
  const reference = orders[0]?.reference;
  const purchases = listPurchases(orders);
  const facts = [
    // The table has the numbers of several.
    ...(orders.length === 1 ? [['Order', orders[0]?.number] as const] : []),
    ...(purchases === '' ? [] : [['Purchase', purchases] as const]),
    ['Ordered', [...days].join(', ')],
    ...(reference === undefined ? [] : [['Your reference', reference] as const]),
  ] as const;
  return (
    <dl className="num grid content-start gap-x-6 gap-y-2 grid-cols-[auto_minmax(0,1fr)]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-micro leading-6 text-muted">{name}</dt>
          <dd className="font-medium [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** For the customer and for the packer; null for several orders. */
function OrderCode({ order }: { order: Order | null }) {
  const address = new URL(order ? getOrderPath(order) : '/dashboard/my-orders', window.location.origin).href;
  const name = order ? `order ${order.number}` : 'your orders';
  return (
    <div className="flex flex-wrap items-center gap-6 break-inside-avoid">
      <QrCode text={address} label={`QR code of ${name}`} />
      <p className="num max-w-[20ch] text-sm text-muted">Scan to see {name}, or to order again.</p>
    </div>
  );
}
