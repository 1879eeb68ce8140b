import { formatAmount, formatCount, toAmount, toCents } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { orderCustomerQueryOptions } from '#app/orders/queries.ts';
import { EmailText } from '#app/ui/email-text.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { ChangeAddress } from './change-address.tsx';

/** The name links to the customer's page while the account exists. */
export function ClerkOrderCustomer({ order }: { order: Order }) {
  const { data: summary } = useQuery(orderCustomerQueryOptions(order.email));
  return (
    <Panel heading="Customer" className="[overflow-wrap:anywhere]">
      <p className="font-semibold">
        {summary ? (
          <Link
            className="pf-link inline-flex min-h-6 items-center"
            to={`/dashboard/customers/${encodeURIComponent(order.email)}`}
          >
            <bdi>{order.name}</bdi>
          </Link>
        ) : (
          <bdi>{order.name}</bdi>
        )}
      </p>
      {order.company && (
        <p>
          <bdi>{order.company}</bdi>
        </p>
      )}
      <p className="text-muted">
        <a
          className="inline-flex min-h-6 items-center hover:text-primary hover:underline"
          href={`mailto:${encodeURIComponent(order.email)}`}
        >
          <EmailText email={order.email} />
        </a>
      </p>
      {summary && (
        <p className="num mt-1 text-sm text-muted">
          {formatCount(summary.orders, 'order')}, {/* Payments that await acceptance count as paid. */}
          {formatAmount(toAmount(toCents(summary.paid) + toCents(summary.waiting)))} paid
        </p>
      )}
      <DeliverTo order={order} />
    </Panel>
  );
}

function DeliverTo({ order }: { order: Order }) {
  return (
    <>
      <div className="mb-1 mt-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-base-300 pt-5">
        <h3 className="text-sm font-semibold">Deliver to</h3>
        <ChangeAddress order={order} />
      </div>
      <address className="whitespace-pre-line not-italic leading-6">{order.address}</address>
      <p className="num mt-1 text-muted">
        <a
          className="inline-flex min-h-6 items-center hover:text-primary hover:underline"
          href={`tel:${order.phone}`}
        >
          {order.phone}
        </a>
      </p>
    </>
  );
}
