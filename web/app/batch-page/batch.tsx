import { formatCount } from '@parts-forge/contract/money/money';
import type { BatchLine } from '@parts-forge/contract/orders/batch';
import { useQuery } from '@tanstack/react-query';
import { ListPlus, Plus } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { batchLimits, forgetBrowserBatch, linesFieldId, readBrowserBatch } from '#app/batch/browser-batch.ts';
import { useRefusedLines } from '#app/batch/use-batch.ts';
import { prefetchOwn } from '#app/calls/prefetch.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { describeError } from '#app/errors/describe-error.ts';
import { toastError } from '#app/errors/toast-error.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { PlacingError } from '#app/placing/placing-error.tsx';
import { UnansweredNotice } from '#app/placing/unanswered-notice.tsx';
import { lastOrderQueryOptions } from '#app/placing/use-delivery.ts';
import { useAskForPrices } from '#app/prices/ask-for-prices.tsx';
import { AskedQuotes } from '#app/prices/asked-quotes.tsx';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { focusHeading, focusHeadingIfLost } from '#app/ui/focus-heading.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PrimaryLink } from '#app/ui/primary-link.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import { AddLines, addLinesId } from './add-lines.tsx';
import { BatchDock } from './batch-dock.tsx';
import { BatchRefusal } from './batch-refusal.tsx';
import { useExchange } from './instead.tsx';
import { removeButtonId } from './line-ids.ts';
import { LinesTable } from './lines-table.tsx';
import { LinkInPage } from './link-in-page.tsx';
import { PlaceBatchForm, placeFormId } from './place-batch-form.tsx';
import { batchQueryOptions, useClearBatch, useRemoveLine } from './queries.ts';
import { ReadStrip } from './read-strip.tsx';
import { type LineOnPage, useBatchLines } from './use-batch-lines.ts';
import { type Entry, isReady, listTabs, useGroups } from './use-groups.ts';
import { type List, useList } from './use-list.ts';
import { type PlaceForm, usePlaceForm } from './use-place-form.ts';
import { WhatHappens } from './what-happens.tsx';

export const clientLoader = () => prefetchOwn(batchQueryOptions);

/** The customer's batch: several parts ordered at once. */
export default function Batch() {
  const { email } = useSignedInUser();
  const batch = useQuery(batchQueryOptions());
  // Its address stands as text in place of the fields.
  const { isPending } = useQuery(lastOrderQueryOptions(email));
  return (
    <QueryPanel
      query={isPending ? { ...batch, data: undefined, isPending } : batch}
      what="Your batch"
      safe="Its lines are safe"
      heading={<PageHeading title="Batch" />}
      skeleton={<WorkSkeleton rows={4} />}
    >
      {(lines) => <LoadedBatch lines={lines} email={email} />}
    </QueryPanel>
  );
}

function LoadedBatch({ lines, email }: { lines: readonly BatchLine[]; email: string }) {
  const { rows, saving } = useBatchLines(lines);
  const ready = rows.filter(({ problem }) => problem === null);
  const list = useList(email);
  const place = usePlaceForm(email, ready, list.forgetPlaced);
  const [isAdding, setAdding] = useState(false);
  const isEmpty = rows.length + list.unread.length === 0;
  return (
    <>
      <PageHeading
        title="Batch"
        actions={
          isEmpty ? undefined : (
            <BatchActions lines={lines} error={saving.error} onClear={list.forgetAll}>
              <AddButton isOpen={isAdding} onPress={() => setAdding(!isAdding)} />
            </BatchActions>
          )
        }
      />
      <LastAttempt place={place} email={email} rows={rows} isEmpty={isEmpty} />
      <RefusedLines />
      {isEmpty && <NoLines />}
      {(isEmpty || isAdding || list.text !== '') && <AddLines list={list} onUse={setAdding} />}
      <ReadStrip list={list} />
      <Lines rows={rows} ready={ready} list={list} place={place} />
    </>
  );
}

interface LinesProps {
  rows: readonly LineOnPage[];
  ready: readonly LineOnPage[];
  list: List;
  place: PlaceForm;
}

function Lines({ rows, ready, list, place }: LinesProps) {
  const groups = useGroups(rows, list);
  const entries = [...groups.toDecide, ...groups.ready];
  const [search] = useSearchParams();
  const tabs = listTabs(groups);
  const shown = tabs.find(({ value }) => value === search.get('show')) ?? { value: '', groups };
  const { removed, remove } = useRemoval([...shown.groups.toDecide, ...shown.groups.ready]);
  const exchange = useExchange(rows, list);
  const leftOut = countLines(list.text);
  const asking = useAskForPrices(ready);
  return (
    <>
      <p role="status" className="sr-only">
        {removed && `${removed} removed`}
      </p>
      {entries.length > 0 && (
        <>
          <AskedQuotes />
          {asking.button('mb-3 bg-base-100 lg:hidden')}
          <p className="sr-only focus-within:not-sr-only">
            <LinkInPage id={placeFormId}>Skip the lines</LinkInPage>
          </p>
          {tabs.length > 2 && <Tabs label="Lines" parameter="show" tabs={tabs} now={shown.value} />}
          <LinesTable
            groups={shown.groups}
            list={list}
            exchange={exchange}
            onRemove={(row) => void remove(row)}
          />
          <div className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_25rem]">
            <PlaceBatchForm place={place} rows={ready} leftOut={leftOut} />
            <WhatHappens />
          </div>
          <BatchDock
            place={place}
            ready={ready}
            toDecide={entries.filter((entry) => !isReady(entry))}
            hasLeftOut={leftOut > 0}
          >
            {asking.button('max-lg:hidden')}
          </BatchDock>
          {asking.dialog}
        </>
      )}
    </>
  );
}

interface LastAttemptProps extends Pick<LinesProps, 'rows' | 'place'> {
  email: string;
  isEmpty: boolean;
}

/** Why the batch was not placed, or that no answer came. */
function LastAttempt({ place, email, rows, isEmpty }: LastAttemptProps) {
  const forget = () => {
    place.forgetUnanswered();
    focusHeading();
  };
  return (
    <>
      {place.isUnanswered && place.isIdle && <UnansweredBatch isEmpty={isEmpty} onForget={forget} />}
      {place.error && !isEmpty && (
        <PlacingError
          error={place.error}
          email={email}
          isUnanswered={place.isUnanswered}
          onForget={forget}
          act="Place the batch"
          arrived="what has already arrived"
        >
          <BatchRefusal error={place.error} rows={rows} />
        </PlacingError>
      )}
    </>
  );
}

const countLines = (text: string): number => text.split('\n').filter((line) => line.trim() !== '').length;

/** Opens the field for lines, and takes the focus there. */
function AddButton({ isOpen, onPress }: { isOpen: boolean; onPress: () => void }) {
  useEffect(() => {
    if (isOpen) document.getElementById(linesFieldId)?.focus();
  }, [isOpen]);
  return (
    <Button
      kind="line"
      size="bar"
      className="bg-base-100"
      aria-expanded={isOpen}
      aria-controls={addLinesId}
      onClick={onPress}
    >
      <Icon of={Plus} className="size-4" />
      Add lines or a file
    </Button>
  );
}

/** They are added when the list is read and has room. */
function RefusedLines() {
  const names = useRefusedLines();
  if (names.length === 0) return null;
  const discard = () => {
    const batch = readBrowserBatch();
    if (batch) forgetBrowserBatch(batch);
    focusHeading();
  };
  return (
    <Banner
      kind="info"
      className="mb-6 bg-base-100"
      after={
        <Button kind="line" size="row" onClick={discard}>
          Discard them
        </Button>
      }
    >
      <strong className="font-semibold">
        {`${formatCount(names.length, 'line')} of the list from before you signed in found no room:`}
      </strong>{' '}
      <bdi>{names.join(', ')}</bdi>. They are added as soon as they fit: {batchLimits}.
    </Banner>
  );
}

/** The focus must leave the vanished button. */
function useRemoval(entries: readonly Entry[]) {
  const rows = entries.flatMap((entry) => ('row' in entry ? entry.row : []));
  const removing = useRemoveLine();
  /** Name of the last removed part. */
  const [removed, setRemoved] = useState('');
  const remove = async (row: LineOnPage) => {
    const pressed = document.activeElement;
    const index = rows.findIndex(({ product }) => product._id === row.product._id);
    const next = rows[index + 1] ?? rows[index - 1];
    try {
      await removing.mutateAsync(row.product._id);
      setRemoved(row.product.name);
      // People often remove several lines.
      if (next) document.getElementById(removeButtonId(next.product._id))?.focus();
      else focusHeadingIfLost(pressed);
    } catch (error) {
      toastError(error);
    }
  };
  return { removed, remove };
}

/** Placing a batch empties the list. */
function UnansweredBatch({ isEmpty, onForget }: { isEmpty: boolean; onForget: () => void }) {
  return (
    <UnansweredNotice lead="A batch was sent and no answer came." onForget={onForget}>
      {isEmpty
        ? 'If it has arrived, its orders are placed and stand in'
        : 'Placing the same lines with the same entries again does not place them twice. Whether it has arrived stands in'}
    </UnansweredNotice>
  );
}

function NoLines() {
  return (
    <Notice
      icon={ListPlus}
      title="No lines yet"
      action={<PrimaryLink to="/all-products">See All Parts</PrimaryLink>}
    >
      Press Add to batch on a part, order an earlier order again, or paste a list below.
    </Notice>
  );
}

const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

interface BatchActionsProps {
  lines: readonly BatchLine[];
  error: Error | null;
  onClear: () => void;
  children: ReactNode;
}

/** Line count, last save and the buttons. */
function BatchActions({ lines, error, onClear, children }: BatchActionsProps) {
  const [isAsking, setIsAsking] = useState(false);
  const clearing = useClearBatch();
  const [savedAt] = lines
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .toReversed();
  const clear = async () => {
    try {
      await clearing.mutateAsync();
      onClear();
    } catch (failure) {
      toastError(failure);
    }
    setIsAsking(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p
        className={`num text-sm ${error ? 'text-error' : 'text-muted'}`}
        aria-live="polite"
        aria-atomic="true"
      >
        {formatCount(lines.length, 'line')}
        {error
          ? `, not saved: ${describeError(error)}`
          : savedAt && `, saved ${minute.format(new Date(savedAt))}`}
      </p>
      {children}
      <Button kind="line" size="bar" className="bg-base-100" onClick={() => setIsAsking(true)}>
        Clear batch
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Clear the batch?"
          safe="Keep lines"
          confirm="Clear batch"
          busy={clearing.isPending}
          busyLabel="Clearing…"
          onClose={() => setIsAsking(false)}
          onConfirm={() => void clear()}
        >
          {lines.length === 1 ? 'Its line is removed.' : `All ${lines.length} lines are removed.`} Orders that
          you placed stay.
        </ConfirmDialog>
      )}
    </div>
  );
}
