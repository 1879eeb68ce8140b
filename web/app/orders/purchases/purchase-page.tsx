import { formatCount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useRole, useSignedInUser } from '#app/identity/signed-in-user.ts';
import { OrderUnknown } from '#app/orders/mine/order-unknown.tsx';
import { purchaseQueryOptions, purchaseTrailQueryOptions } from '#app/orders/queries.ts';
import { OrderChain } from '#app/orders/states/order-chain.tsx';
import { BackLink } from '#app/ui/back-link.tsx';
import { formatDuration } from '#app/ui/format-duration.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import type { Route } from './+types/purchase-page';
import { listPurchaseStages, type PurchaseProps } from './describe-purchase.ts';
import { PurchaseLines } from './purchase-lines.tsx';
import { PurchasePageActs, usePurchaseQuestion } from './purchase-page-acts.tsx';
import { PurchasePayments } from './purchase-payments.tsx';
import { PurchaseRail } from './purchase-rail.tsx';

/** What was placed together, for its customer and for administrators. */
export default function PurchasePage({ params: { number } }: Route.ComponentProps) {
  const { email } = useSignedInUser();
  const isForAdmin = useRole() === 'admin';
  const purchase = useQuery(purchaseQueryOptions(number, isForAdmin ? null : email));
  return (
    <QueryPanel
      query={purchase}
      what="The purchase"
      heading={<PageHeading title="Purchase" above={<ListLink isForAdmin={isForAdmin} />} />}
      skeleton={<PanelsSkeleton heights={['h-[7.125rem]', 'h-[3.5rem]', 'h-[22rem]']} />}
    >
      {([first, ...others]) =>
        first ? (
          <LoadedPurchase key={number} orders={[first, ...others]} isForAdmin={isForAdmin} />
        ) : (
          <>
            <PageHeading title="Purchase" above={<ListLink isForAdmin={isForAdmin} />} />
            <OrderUnknown>No purchase has this number.</OrderUnknown>
          </>
        )
      }
    </QueryPanel>
  );
}

const ListLink = ({ isForAdmin }: { isForAdmin: boolean }) =>
  isForAdmin ? (
    <BackLink to="/dashboard/manage-orders">All Orders</BackLink>
  ) : (
    <BackLink to="/dashboard/my-orders">My Orders</BackLink>
  );

function LoadedPurchase({ orders, isForAdmin }: PurchaseProps) {
  const [first] = orders;
  const { data: trail = null } = useQuery(purchaseTrailQueryOptions(first._id));
  const [search] = useSearchParams();
  const notices = useRowNotices<Order>();
  const { dialog, ask, isAccepting } = usePurchaseQuestion(orders, notices);
  const number = first.purchase?.number ?? first.number;
  const whose = isForAdmin ? first.name : first.reference;
  return (
    <>
      <PageHeading
        title={`Purchase ${number}`}
        heading={
          <>
            Purchase <span className="num font-sans font-semibold">{number}</span>{' '}
            <span className="num block font-sans text-base font-normal leading-6 tracking-normal text-muted [overflow-wrap:anywhere] sm:ml-3 sm:inline">
              {formatCount(orders.length, 'part')}
              {whose && ', '}
              <bdi>{whose}</bdi>
            </span>
          </>
        }
        above={<ListLink isForAdmin={isForAdmin} />}
        actions={<PurchasePageActs {...{ orders, isForAdmin, ask, isAccepting }} />}
      />
      <section className="pf-panel pf-way" aria-label="Progress">
        <OrderChain
          stages={listPurchaseStages(orders, trail)}
          describeSpan={({ at, state }, next) =>
            state === 'done' && at && next.at && at < next.at
              ? formatDuration(Date.parse(next.at) - Date.parse(at))
              : null
          }
        >
          {({ at, note }) => (
            <p className="text-sm text-muted">{[at && formatMoment(at), note].filter(Boolean).join(', ')}</p>
          )}
        </OrderChain>
      </section>
      <PurchasePayments orders={orders} isForAdmin={isForAdmin} trail={trail} />
      <div className="pf-two">
        <PurchaseLines
          orders={orders}
          isForAdmin={isForAdmin}
          show={search.get('show') ?? ''}
          notices={notices}
        />
        <PurchaseRail orders={orders} isForAdmin={isForAdmin} trail={trail ?? []} ask={ask} />
      </div>
      {dialog}
    </>
  );
}
