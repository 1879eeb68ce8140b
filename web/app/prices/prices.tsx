import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Tag, Upload } from 'lucide';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useSearchText } from '#app/dashboard/use-search-text.ts';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import { AgreedPrices } from './agreed-prices.tsx';
import { AnswerForm } from './answer-form.tsx';
import { agreedCountQueryOptions, quoteCountQueryOptions, quotesQueryOptions } from './queries.ts';
import { QuotesTable } from './quotes-table.tsx';
import { SetPriceDialog } from './set-price-dialog.tsx';

/** Administrators answer requests for prices and see all that were agreed. */
export default function Prices() {
  const [q, setQ] = useSearchText();
  const show = useSearchParams()[0].get('show') ?? '';
  const [isSetting, setSetting] = useState(false);
  const search = q ? { q } : {};
  return (
    <>
      <PageHeading
        title="Prices"
        actions={
          <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
            <SearchField label="Customer or part" value={q} onSearch={setQ} />
            <Button kind="line" size="bar" onClick={() => setSetting(true)}>
              Agree on a price
            </Button>
            <Link to="/dashboard/catalogue-file" className={getButtonClasses('line', 'bar', 'max-sm:hidden')}>
              <Icon of={Upload} className="size-4" />
              Prices by file
            </Link>
          </div>
        }
      />
      <PriceTabs search={search} now={show} />
      {show === 'agreed' || show === 'ending' ? (
        <AgreedPrices
          filter={show === 'ending' ? { ...search, ending: 'true' } : search}
          empty={q ? 'Search for a shorter word.' : 'Prices that are agreed with customers appear here.'}
        />
      ) : (
        <Quotes filter={{ ...search, state: show === 'answered' ? 'answered' : 'asked' }} />
      )}
      {isSetting && <SetPriceDialog onClose={() => setSetting(false)} />}
    </>
  );
}

function PriceTabs({ search, now }: { search: { q?: string }; now: string }) {
  const counts = [
    useQuery(quoteCountQueryOptions({ ...search, state: 'asked' })),
    useQuery(quoteCountQueryOptions({ ...search, state: 'answered' })),
    useQuery(agreedCountQueryOptions(search)),
    useQuery(agreedCountQueryOptions({ ...search, ending: 'true' })),
  ];
  const tabs = [
    { value: '', name: 'Asked for a price' },
    { value: 'answered', name: 'Answered' },
    { value: 'agreed', name: 'Agreed prices' },
    { value: 'ending', name: 'End in three days' },
  ];
  return (
    <Tabs
      label="Prices"
      parameter="show"
      now={now}
      tabs={tabs.map((tab, index) => ({ ...tab, count: counts[index]?.data }))}
    />
  );
}

function Quotes({ filter }: { filter: Parameters<typeof quotesQueryOptions>[0] }) {
  const list = useInfiniteQuery({ ...quotesQueryOptions(filter), placeholderData: keepPreviousData });
  const isAsked = filter.state === 'asked';
  return (
    <PagedList
      list={list}
      what="The requests"
      skeleton={<WorkSkeleton />}
      empty={
        <Notice icon={Tag} title={isAsked ? 'Nobody waits for a price' : 'No answers yet'}>
          Customers ask for prices of the lines in their batch.
        </Notice>
      }
    >
      {(quotes) => (
        <QuotesTable
          caption="Customers who asked for a price, newest first"
          quotes={quotes}
          busy={list.isPlaceholderData}
          renderAct={(quote, toggle, isOpen) =>
            isAsked &&
            !isOpen && (
              <Button kind="line" aria-label={`Answer ${quote.customer.name}`} onClick={toggle}>
                Answer
              </Button>
            )
          }
          {...(isAsked && { renderDetail: (quote) => <AnswerForm quote={quote} /> })}
        />
      )}
    </PagedList>
  );
}
