import { FileText } from 'lucide';
import type { ReactNode } from 'react';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { DaysFilter, readWholeMonth } from '#app/dashboard/days-filter.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { useSearchText } from '#app/dashboard/use-search-text.ts';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { isNarrowed, type OrderFilter, toOrderQuery } from './order-filter.ts';

interface OrdersHeadingProps {
  title: string;
  heading?: string;
  /** What the list shows. */
  shown: OrderFilter;
  children?: ReactNode;
}

/** Search, days and export of a list of orders. */
export function OrdersHeading({ title, heading = title, shown, children }: OrdersHeadingProps) {
  const [q, setQ] = useSearchText();
  const timeZone = useShopTimeZone();
  // All papers of the month: another filter would promise fewer.
  const month = isNarrowed({ ...shown, show: '', from: '', before: '' }) ? null : readWholeMonth(shown);
  return (
    <PageHeading
      title={title}
      heading={heading}
      actions={
        <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
          <SearchField label="Search orders" value={q} onSearch={setQ} />
          <DaysFilter from={shown.from} before={shown.before} />
          <DownloadButton
            file={{ what: 'orders', filters: toOrderQuery(shown, timeZone) }}
            className="max-sm:hidden"
          >
            Export CSV
          </DownloadButton>
          {month && (
            <DownloadButton file={{ what: 'invoices', month, as: 'zip' }} icon={FileText}>
              Papers of the month
            </DownloadButton>
          )}
          {children}
        </div>
      }
    />
  );
}
