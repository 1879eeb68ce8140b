import { Package } from 'lucide';
import { RowNotice } from '#app/dashboard/row-notice.tsx';
import { LoadError } from '#app/errors/load-error.tsx';
import { Reference } from '#app/errors/reference.tsx';
import { RetryNotice } from '#app/errors/retry-notice.tsx';
import { RevalidateNotice } from '#app/errors/revalidate-notice.tsx';
import { FormError } from '#app/forms/form-error.tsx';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import type { Example } from '../example.ts';
import { busy, failure, ignore, offline, requestId } from '../sample-data.ts';

export const failures: readonly Example[] = [
  { name: 'Banner, alarm', render: () => <Banner kind="alarm">Invalid email or password</Banner> },
  {
    name: 'Banner, alarm, with a reference',
    render: () => (
      <Banner kind="alarm">
        The sign-in service is not available at the moment.
        <Reference id={requestId} className="mt-2" />
      </Banner>
    ),
  },
  { name: 'Banner, error', render: () => <Banner kind="error">The order was not placed.</Banner> },
  { name: 'Banner, info', render: () => <Banner kind="info">Administrators cannot place orders.</Banner> },
  {
    name: 'FormError of a failure of the shop',
    render: () => <FormError error={failure}>What you typed is still here; try again.</FormError>,
  },
  {
    name: 'Notice, empty',
    render: () => (
      <Notice icon={Package} title="No orders yet" action={<Button kind="primary">See All Parts</Button>}>
        Orders you place appear here.
      </Notice>
    ),
  },
  ...(
    [
      ['the shop failed', failure],
      ['the shop is busy', busy],
      ['no connection', offline],
    ] as const
  ).map(([why, error]) => ({
    name: `LoadError: ${why}`,
    render: () => <LoadError what="Your orders" error={error} busy={false} onRetry={ignore} />,
  })),
  {
    name: 'LoadError, trying again',
    render: () => <LoadError what="Your orders" error={failure} busy onRetry={ignore} />,
  },
  {
    name: 'RetryNotice',
    render: () => (
      <RetryNotice error={failure} busy={false} onRetry={ignore}>
        The payment provider gave no usable answer.
      </RetryNotice>
    ),
  },
  {
    name: 'RevalidateNotice, a whole list',
    render: () => <RevalidateNotice what="parts" requestId={requestId} />,
  },
  {
    name: 'RevalidateNotice, a section',
    render: () => <RevalidateNotice what="reviews" requestId={null} isSection />,
  },
  {
    name: 'RowNotice',
    render: () => (
      <RowNotice onDismiss={ignore}>
        <span className="font-medium">Mainboard</span>: This payment has already been accepted.
      </RowNotice>
    ),
  },
];
