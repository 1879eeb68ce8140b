import type { Activity as Entry } from '@parts-forge/contract/events/trail';
import { nameTimeZone } from '@parts-forge/contract/text/days';
import { useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide';
import { useSearchParams } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { NoMatch } from '#app/dashboard/no-match.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { PanelsSkeleton } from '#app/dashboard/query-panel.tsx';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import type { Route } from './+types/activity';
import { readActivityFilter } from './activity-filter.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { EntriesByDay } from './entries-by-day.tsx';
import { activityQueryOptions, administratorsQueryOptions, toQuery } from './queries.ts';

const noEntries: readonly Entry[] = [];

export const clientLoader = ({ request }: Route.ClientLoaderArgs) =>
  prefetch(
    activityQueryOptions(readActivityFilter(new URL(request.url).searchParams)),
    administratorsQueryOptions,
  );

/** The shop's activity, with filters in the address. */
export default function Activity() {
  const [search] = useSearchParams();
  const filter = readActivityFilter(search);
  const list = useInfiniteQuery(activityQueryOptions(filter));
  const entries = list.data?.pages.flatMap(({ rows }) => rows) ?? noEntries;
  const isFiltered = search.size > 0;
  const timeZone = useShopTimeZone();
  return (
    <>
      <PageHeading
        title="Activity"
        actions={
          <DownloadButton file={{ what: 'activity', filters: toQuery(filter, timeZone) }}>
            Export CSV
          </DownloadButton>
        }
      />
      <ActivityFilters filter={filter} entries={entries} total={list.data?.pages[0]?.total} />
      <PagedList
        list={list}
        what="The activity"
        skeleton={<PanelsSkeleton heights={['h-[16.5rem]', 'h-[13.5rem]']} />}
        empty={
          isFiltered ? (
            <NoMatch icon={History} title="No entry matches" what="entries">
              Search for fewer words, or show all entries.
            </NoMatch>
          ) : (
            <Notice icon={History} title="Nothing yet">
              What people do in the shop appears here.
            </Notice>
          )
        }
      >
        {(rows) => <EntriesByDay entries={rows} busy={list.isPlaceholderData} timeZone={timeZone} />}
      </PagedList>
      <p className="mt-6 text-sm text-muted">Days and times are those of {nameTimeZone(timeZone)}.</p>
    </>
  );
}
