import type { Activity } from '@parts-forge/contract/events/trail';
import { useId } from 'react';
import { Link } from 'react-router';
import { editPath, ledgerPath } from '#app/products/product-paths.ts';
import { describeEntry, describeKey, nameActor } from '#app/trail/describe-event.ts';
import { Facts } from '#app/trail/facts.tsx';
import { listFacts } from '#app/trail/list-facts.ts';
import { useShop } from '#app/ui/shop.tsx';
import { groupByDay } from './group-by-day.ts';

interface EntriesByDayProps {
  entries: readonly Activity[];
  busy: boolean;
  timeZone: string;
}

/** Entries grouped by day, newest first. */
export function EntriesByDay({ entries, busy, timeZone }: EntriesByDayProps) {
  return (
    <div className="grid gap-6" aria-busy={busy || undefined}>
      {groupByDay(entries, new Date(), timeZone).map(({ day, rows }) => (
        <DayPanel key={day} day={day} entries={rows} timeZone={timeZone} />
      ))}
    </div>
  );
}

interface DayPanelProps {
  day: string;
  entries: readonly Activity[];
  timeZone: string;
}

function DayPanel({ day, entries, timeZone }: DayPanelProps) {
  const id = useId();
  const shopName = useShop().name;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return (
    <section className="pf-panel" aria-labelledby={id}>
      <h2 id={id} className="border-b border-base-300 px-6 py-3 text-sm font-semibold">
        {day}
      </h2>
      <ol>
        {entries.map((entry) => (
          <li
            key={entry._id}
            className="num grid gap-x-6 overflow-clip gap-y-0.5 border-base-300 px-6 py-3 sm:grid-cols-[3.5rem_minmax(0,1fr)] lg:grid-cols-[3.5rem_17rem_minmax(0,1fr)] xl:grid-cols-[3.5rem_20rem_minmax(0,1fr)] [&+li]:border-t"
          >
            <time className="text-sm leading-6 text-muted" dateTime={entry.at}>
              {time.format(new Date(entry.at))}
            </time>
            <p className="[overflow-wrap:anywhere]">
              <span className="font-medium">
                <bdi>{nameActor(entry.by, shopName)}</bdi>
              </span>{' '}
              <span className="text-muted">{describeEntry(entry)}</span>
              <bdi>{describeKey(entry)}</bdi>
            </p>
            <p className="min-w-0 text-muted [overflow-wrap:anywhere] max-lg:sm:col-start-2">
              <Subject entry={entry} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The entry's subject with a link, and its facts. */
function Subject({ entry }: { entry: Activity }) {
  const { event, order, orderNumber, purchase, product, user, by } = entry;
  const facts = listFacts(entry);
  // The actor's own name already begins the entry.
  const other = user?._id === by._id ? undefined : user;
  const hasSubject = order !== undefined || product !== undefined || other !== undefined;
  return (
    <>
      {order !== undefined && (
        <>
          Order{' '}
          <Link className="pf-link text-base-content" to={`/dashboard/order/${order}`}>
            {orderNumber ?? order}
          </Link>
          {purchase !== undefined && (
            <>
              {' of purchase '}
              <Link className="pf-link text-base-content" to={`/dashboard/purchase/${purchase}`}>
                {purchase}
              </Link>
            </>
          )}
        </>
      )}
      {order === undefined && product !== undefined && <PartName event={event} product={product} />}
      {other?.email !== undefined && (
        <Link
          className="pf-link text-base-content"
          to={`/dashboard/customers/${encodeURIComponent(other.email)}`}
        >
          <bdi>{other.name ?? other.email}</bdi>
        </Link>
      )}
      {hasSubject && facts.length > 0 && ': '}
      <Facts facts={facts} />
    </>
  );
}

/** Stock events link to the ledger, others to the fields; a deleted part has no page. */
function PartName({
  event,
  product,
}: {
  event: Activity['event'];
  product: NonNullable<Activity['product']>;
}) {
  const name = product.name ?? 'A part';
  if (event === 'product-deleted')
    return (
      <span className="text-base-content">
        <bdi>{name}</bdi>
      </span>
    );
  return (
    <Link
      className="pf-link text-base-content"
      to={event.startsWith('stock-') ? ledgerPath(product) : editPath(product)}
    >
      <bdi>{name}</bdi>
    </Link>
  );
}
