import { formatPieces } from '@parts-forge/contract/money';
import type { Order } from '@parts-forge/contract/orders';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { configQueryOptions, useShopTimeZone } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { LoadError } from '#app/errors/load-error.tsx';
import { MoneyChip } from '#app/orders/order-money.tsx';
import { orderQueryOptions } from '#app/orders/queries.ts';
import { formatDay } from '#app/ui/format-day.ts';
import { Logo } from '#app/ui/logo.tsx';
import { QrCode } from '#app/ui/qr-code.tsx';
import { useShop } from '#app/ui/shop.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { explainHold, findCaution } from './order-shipping.ts';
import { PrintButton } from './print-button.tsx';

/** The printable slip for the box, without prices. */
export function PackingSlip({ id }: { id: string }) {
  const { data, error, isFetching, refetch } = useQuery(orderQueryOptions(id));
  // The slip has the sender, so printing waits for it.
  const { isPending: isSenderPending } = useQuery(configQueryOptions());
  return (
    <>
      <div className="print:hidden">
        <PageHeading
          title="Packing slip"
          above={
            <Link className="pf-link" to="/dashboard/pick-list">
              Pick list
            </Link>
          }
          actions={data && !isSenderPending && <PrintButton />}
        />
      </div>
      {data ? (
        <Slip order={data} />
      ) : error ? (
        <LoadError what="The order" error={error} busy={isFetching} onRetry={refetch} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </>
  );
}

function Slip({ order }: { order: Order }) {
  return (
    <article
      aria-label={`Packing slip of order ${order.number}`}
      className="pf-panel grid gap-8 p-6 sm:p-10 print:border-0 print:p-0"
    >
      <div className="flex flex-wrap items-start justify-between gap-4">
        <Sender />
        <h2 className="display text-h3">Packing slip</h2>
      </div>
      <Caution order={order} />
      <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <Recipient order={order} />
        <Facts order={order} />
      </div>
      <table className="pf-print num">
        <caption className="sr-only">In this box</caption>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Part number</th>
            <th scope="col" className="r">
              Pieces
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" className="[overflow-wrap:anywhere]">
              {order.productName}
            </th>
            <td>{order.partNumber}</td>
            <td className="r font-semibold">{formatPieces(order.quantity)}</td>
          </tr>
        </tbody>
      </table>
      <PartCode productId={order.productId} />
    </article>
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
    <section aria-label="Ship to">
      <h3 className="mb-2 text-micro text-muted">Ship to</h3>
      <address className="num whitespace-pre-line not-italic leading-6 [overflow-wrap:anywhere]">
        <span className="font-semibold">
          <bdi>{order.name}</bdi>
        </span>
        {'\n'}
        {order.address}
        {'\n'}
        {order.phone}
      </address>
    </section>
  );
}

/** Printed too, since the paper outlives the screen. */
function Caution({ order }: { order: Order }) {
  const hold = explainHold(order);
  const advice = hold === null ? findCaution(order)?.advice : `Do not send this. ${hold}`;
  if (advice === undefined) return null;
  return (
    <p role="note" className="rounded-field border border-error p-4 font-medium">
      {advice}
      <span className="block print:hidden">
        <MoneyChip order={order} />
      </span>
    </p>
  );
}

function Facts({ order: { number, createdAt, reference } }: { order: Order }) {
  // As on the invoice.
  const timeZone = useShopTimeZone();
  const facts = [
    ['Order', String(number)],
    ['Ordered', formatDay(createdAt, timeZone)],
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

/** Leads to the part's page, to order it again. */
function PartCode({ productId }: { productId: string }) {
  const address = new URL(`/products/${productId}`, window.location.origin).href;
  return (
    <div className="flex flex-wrap items-center gap-6 break-inside-avoid">
      <QrCode text={address} label="QR code of the part's page" />
      <p className="max-w-[24ch] text-sm text-muted">Scan to see this part, or to order it again.</p>
    </div>
  );
}
