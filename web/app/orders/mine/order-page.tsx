import { formatAmount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { describeError, getRequestId } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import { FormError } from '#app/forms/form-error.tsx';
import { OrderInvoices } from '#app/orders/money/order-invoices.tsx';
import { getPaymentPath } from '#app/orders/order-path.ts';
import { ParcelList } from '#app/orders/parcels/parcel-list.tsx';
import { anyOrderQueryOptions, orderTrailQueryOptions } from '#app/orders/queries.ts';
import { isPayable } from '#app/orders/states/order-conditions.ts';
import { useCancelQuestion } from '#app/orders/use-cancel-question.tsx';
import { BackLink } from '#app/ui/back-link.tsx';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { usePageSettings } from '#app/ui/shop.tsx';
import { useNow } from '#app/ui/use-now.ts';
import { useOnline } from '#app/ui/use-online.ts';
import { OrderAgainButton } from './order-again-button.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderPaymentFacts } from './order-payment-facts.tsx';
import { OrderProgress } from './order-progress.tsx';
import { OrderUnknown } from './order-unknown.tsx';

/** The customer's page of one order, closed ones included. */
export function OrderPage({ id }: { id: string }) {
  const order = useQuery(anyOrderQueryOptions(id));
  return (
    <QueryPanel
      query={order}
      what="The order"
      heading={<OrderHeading heading="Order" />}
      skeleton={<PanelsSkeleton heights={['h-[9rem]', 'h-[22rem]']} />}
      missing={<OrderUnknown>The address is not complete. Your orders are in the list.</OrderUnknown>}
    >
      {(data) => <OwnOrder key={id} order={data} />}
    </QueryPanel>
  );
}

function OwnOrder({ order }: { order: Order }) {
  const { data: trail = null } = useQuery(orderTrailQueryOptions(order._id));
  const now = useNow();
  const paidAt = trail?.find(({ event }) => event === 'paid')?.at ?? null;
  const [refusal, setRefusal] = useState<Error | null>(null);
  const cancellation = useCancelQuestion((_, error) => setRefusal(error), 'own');
  const askToCancel = () => {
    setRefusal(null);
    cancellation.ask(order);
  };
  const isDue = isPayable(order);
  return (
    <>
      <OrderHeading
        heading={`Order ${order.number}`}
        actions={
          isDue ? <UnpaidActions order={order} onCancel={askToCancel} /> : <LaterActions order={order} />
        }
      />
      {refusal && (
        <FormError className="mb-6">
          <p>
            {describeError(refusal)}
            <Reference id={getRequestId(refusal)} />
          </p>
        </FormError>
      )}
      <OrderProgress order={order} trail={trail} now={now} />
      {order.shipments && (
        <Panel heading="Parcels" className="mt-6">
          <ParcelList parcels={order.shipments} />
        </Panel>
      )}
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-2">
        <OrderFacts order={order} />
        <OrderPaymentFacts order={order} paidAt={paidAt} />
      </div>
      <Contact number={order.number} />
      {cancellation.dialog}
    </>
  );
}

/** Hidden in a shop without an address. */
function Contact({ number }: { number: number }) {
  const { contactEmail } = usePageSettings();
  if (contactEmail === null) return null;
  return (
    <p className="mt-6 text-sm text-muted">
      Something wrong with this order?{' '}
      <a className="pf-link" href={`mailto:${contactEmail}?subject=${encodeURIComponent(`Order ${number}`)}`}>
        Write to {contactEmail}
      </a>
    </p>
  );
}

function OrderHeading({ heading, actions }: { heading: string; actions?: React.ReactNode }) {
  return (
    <PageHeading
      title={heading}
      above={<BackLink to="/dashboard/my-orders">My Orders</BackLink>}
      actions={actions}
    />
  );
}

/** Disabled offline; the banner under the navbar tells why. */
function UnpaidActions({ order, onCancel }: { order: Order; onCancel: () => void }) {
  const online = useOnline();
  const pay = `Pay ${formatAmount(order.totalPrice)}`;
  return (
    <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
      <Button kind="danger-line" size="bar" className="max-sm:flex-1" disabled={!online} onClick={onCancel}>
        Cancel order
      </Button>
      {online ? (
        <Link to={getPaymentPath([order])} className={getButtonClasses('primary', 'bar', 'max-sm:flex-1')}>
          {pay}
        </Link>
      ) : (
        <Button kind="primary" size="bar" className="max-sm:flex-1" disabled>
          {pay}
        </Button>
      )}
    </div>
  );
}

/** Actions once the order is no longer unpaid. */
function LaterActions({ order }: { order: Order }) {
  return (
    <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
      <OrderInvoices order={order} className="max-sm:flex-auto max-sm:whitespace-nowrap" />
      <OrderAgainButton order={order} kind="primary" size="bar" className="max-sm:flex-auto" />
    </div>
  );
}
