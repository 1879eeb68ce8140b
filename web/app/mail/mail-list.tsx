import type { Mail } from '@parts-forge/contract/events/mail';
import type { MailKind, MailState } from '@parts-forge/contract/events/mail-kinds';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Mail as MailIcon } from 'lucide';
import { Link } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { PageHeading, ParentLink } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { EmailText } from '#app/ui/email-text.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Notice } from '#app/ui/notice.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import { mailListQueryOptions } from './queries.ts';

const kinds: Record<MailKind, string> = {
  'address-verification': 'Confirm your address',
  'password-reset': 'New password',
  'order-placed': 'Order placed',
  'payment-received': 'Payment received',
  'order-accepted': 'Payment accepted',
  'parcel-sent': 'Parcel sent',
  'parcel-removed': 'Parcel removed',
  'address-corrected': 'Delivery changed',
  'order-refunded': 'Refund',
  'dispute-lost': 'Dispute lost',
  'order-cancelled': 'Order cancelled',
  'order-expiring': 'Order expires',
  'back-in-stock': 'Back in stock',
  'quote-asked': 'Asked for prices',
  'quote-answered': 'Prices answered',
  'prices-ending': 'Prices end',
  'low-stock': 'Low stock',
  'webhook-off': 'Webhook off',
};

const states: Record<MailState, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  dead: 'Given up',
  dropped: 'Not sent: outdated',
};

const columns: Column<Mail>[] = [
  {
    head: 'Mail',
    cell: ({ _id, kind, to }) =>
      to ? (
        <Link
          className="pf-link inline-flex min-h-8 items-center font-semibold"
          to={`/dashboard/mail/${_id}`}
        >
          {kinds[kind]}
        </Link>
      ) : (
        kinds[kind]
      ),
  },
  {
    head: 'To',
    cell: ({ to }) =>
      to ? <EmailText email={to.email} /> : <span className="text-muted">A deleted user</span>,
  },
  { head: 'Written', cell: ({ createdAt }) => <span className="num">{formatMoment(createdAt)}</span> },
  { head: 'State', cell: (mail) => <StateText {...mail} /> },
];

export const clientLoader = () => prefetch(mailListQueryOptions());

/** The shop's mails, also those waiting for a mail server. */
export default function MailList() {
  const list = useInfiniteQuery(mailListQueryOptions());
  return (
    <>
      <PageHeading
        title="Mail"
        above={<ParentLink to="/dashboard/manage-users">Manage All Users</ParentLink>}
      />
      <p className="mb-6 max-w-[65ch] text-muted">
        Mails of the last thirty days. Without a mail server they wait here and are not sent.
      </p>
      <PagedList
        list={list}
        what="The mails"
        skeleton={<WorkSkeleton />}
        empty={
          <Notice icon={MailIcon} title="No mail yet">
            The first registration or order creates one.
          </Notice>
        }
      >
        {(mails) => (
          <Table caption="Mails, newest first" columns={columns} rows={mails} getKey={({ _id }) => _id} />
        )}
      </PagedList>
    </>
  );
}

function StateText({ state, attempts, error, nextAttemptAt }: Mail) {
  return (
    <span className={state === 'dead' ? 'font-medium text-error' : state === 'sent' ? '' : 'text-muted'}>
      {states[state]}
      {error !== undefined && state !== 'sent' && ` (${error})`}
      {attempts > 0 && nextAttemptAt && `, tried again ${formatMoment(nextAttemptAt)}`}
    </span>
  );
}
