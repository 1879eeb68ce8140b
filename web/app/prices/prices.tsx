import type { Quote } from '@parts-forge/contract/prices/quotes';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Tag, Upload } from 'lucide';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { NoMatch } from '#app/dashboard/no-match.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useSearchText } from '#app/dashboard/use-search-text.ts';
import { describeError, getProblemCode } from '#app/errors/describe-error.ts';
import { ConfirmChange } from '#app/forms/confirm-change.tsx';
import { FormError } from '#app/forms/form-error.tsx';
import { RowMenu } from '#app/rows/row-menu.tsx';
import type { RowDetail } from '#app/rows/work-table.tsx';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { useQuestion } from '#app/ui/use-question.ts';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import { AgreedPrices } from './agreed-prices.tsx';
import { type AnswerDraft, AnswerForm, startDraft } from './answer-form.tsx';
import { priceCountsQueryOptions, quotesQueryOptions, useAnswerQuote, useDeclineQuote } from './queries.ts';
import { focusFold, QuotesTable } from './quotes-table.tsx';
import { SetPriceDialog } from './set-price-dialog.tsx';

/** Administrators answer requests for prices and see all that were agreed. */
export default function Prices() {
  const [q, setQ] = useSearchText();
  const show = useSearchParams()[0].get('show') ?? '';
  const [isSetting, setSetting] = useState(false);
  /** By the request's id; they outlast a look at another tab. */
  const drafts = useState<Drafts>({});
  const search = q ? { q } : {};
  return (
    <>
      <PageHeading
        title="Prices"
        actions={
          <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
            <SearchField label="Search customer or part" value={q} onSearch={setQ} />
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
        <Quotes filter={{ ...search, state: show === 'answered' ? 'answered' : 'asked' }} drafts={drafts} />
      )}
      {isSetting && <SetPriceDialog onClose={() => setSetting(false)} />}
    </>
  );
}

function PriceTabs({ search, now }: { search: { q?: string }; now: string }) {
  const [asked, answered, agreed, ending] = useQuery(priceCountsQueryOptions(search)).data ?? [];
  return (
    <Tabs
      label="Prices"
      parameter="show"
      now={now}
      tabs={[
        { value: '', name: 'Asked for a price', count: asked },
        { value: 'answered', name: 'Answered', count: answered },
        { value: 'agreed', name: 'Agreed prices', count: agreed },
        { value: 'ending', name: 'End in three days', count: ending },
      ]}
    />
  );
}

type Drafts = Readonly<Record<string, AnswerDraft>>;

interface QuotesProps {
  filter: Parameters<typeof quotesQueryOptions>[0];
  drafts: [Drafts, (drafts: Drafts) => void];
}

function Quotes({ filter, drafts: [drafts, setDrafts] }: QuotesProps) {
  const list = useInfiniteQuery(quotesQueryOptions(filter));
  const answering = useAnswerQuote();
  const question = useQuestion<Quote>((quote, close) => (
    <DeclineDialog quote={quote} note={drafts[quote._id]?.note ?? ''} onClose={close} />
  ));
  const isAsked = filter.state === 'asked';
  return (
    <>
      <EndedRequest {...answering} />
      <PagedList
        list={list}
        what="The requests"
        skeleton={<WorkSkeleton />}
        empty={
          filter.q ? (
            <NoMatch icon={Tag} title="No request matches" what="requests">
              Search for a shorter word, or look in another tab.
            </NoMatch>
          ) : (
            <Notice icon={Tag} title={isAsked ? 'Nobody waits for a price' : 'No answers yet'}>
              Customers ask for prices of the lines in their batch.
            </Notice>
          )
        }
      >
        {(quotes) => (
          <QuotesTable
            caption="Customers who asked for a price, newest first"
            quotes={quotes}
            busy={list.isPlaceholderData}
            renderAct={(quote, row) => (
              <QuoteActs quote={quote} {...row} onDecline={() => question.ask(quote)} />
            )}
            {...(isAsked && {
              renderDetail: (quote) => (
                <AnswerForm
                  quote={quote}
                  draft={drafts[quote._id] ?? startDraft()}
                  onDraft={(draft) => setDrafts({ ...drafts, [quote._id]: draft })}
                  answering={answering}
                  onDecline={() => question.ask(quote)}
                />
              ),
            })}
          />
        )}
      </PagedList>
      {question.dialog}
    </>
  );
}

/** The form has disappeared with its request. */
const EndedRequest = ({ error, variables }: Pick<ReturnType<typeof useAnswerQuote>, 'error' | 'variables'>) =>
  getProblemCode(error) === 'quote-ended' && (
    <FormError error={error} className="mb-4">
      Q-{variables?.quote.number}: {describeError(error)}
    </FormError>
  );

interface QuoteActsProps extends RowDetail {
  quote: Quote;
  onDecline: () => void;
}

function QuoteActs({ quote: { number, customer, state }, isOpen, toggle, onDecline }: QuoteActsProps) {
  const name = `Q-${number} of ${customer.name}`;
  const isAsked = state === 'asked';
  return (
    <>
      {isAsked && !isOpen && (
        <Button
          kind="line"
          aria-label={`Answer ${name}`}
          // The button disappears.
          onClick={({ currentTarget }) => {
            focusFold(currentTarget.closest('tr'));
            toggle();
          }}
        >
          Answer
        </Button>
      )}
      <RowMenu label={name}>
        <Link to={`?${new URLSearchParams({ show: 'agreed', q: customer.email })}`}>Agreed prices</Link>
        {isAsked && (
          <button type="button" className="text-error" onClick={onDecline}>
            Decline
          </button>
        )}
      </RowMenu>
    </>
  );
}

interface DeclineDialogProps {
  quote: Quote;
  note: string;
  onClose: () => void;
}

const DeclineDialog = ({ quote, note, onClose }: DeclineDialogProps) => (
  <ConfirmChange
    title={`Decline Q-${quote.number}?`}
    safe="Keep it"
    confirm="Decline"
    change={useDeclineQuote(quote._id)}
    input={note}
    onClose={onClose}
  >
    The list’s prices stay. <bdi>{quote.customer.name}</bdi> gets a mail{note.trim() && ' with your note'}.
  </ConfirmChange>
);
