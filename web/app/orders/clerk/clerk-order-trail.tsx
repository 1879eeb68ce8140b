import { useQuery } from '@tanstack/react-query';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { orderTrailQueryOptions } from '#app/orders/queries.ts';
import { describeEntry, describeKey, nameActor } from '#app/trail/describe-event.ts';
import { Facts } from '#app/trail/facts.tsx';
import { listFacts } from '#app/trail/list-facts.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Panel } from '#app/ui/panel.tsx';
import { useShop } from '#app/ui/shop.tsx';

/** The order's trail: time, actor and event. */
export function ClerkOrderTrail({ id }: { id: string }) {
  const shopName = useShop().name;
  const trail = useQuery(orderTrailQueryOptions(id));
  return (
    <Panel heading="Trail" className="mt-6" aside={<span className="text-sm text-muted">newest first</span>}>
      <QueryPanel query={trail} what="The trail" skeleton={null}>
        {(entries) => (
          <ol className="divide-y divide-base-300">
            {entries.map((event) => {
              const facts = listFacts(event);
              return (
                <li
                  key={`${event.at} ${event.event}`}
                  className="grid gap-x-6 gap-y-0.5 py-3 sm:grid-cols-[9.5rem_minmax(0,1fr)]"
                >
                  <time className="num whitespace-nowrap text-sm leading-6 text-muted" dateTime={event.at}>
                    {formatMoment(event.at)}
                  </time>
                  <p className="num min-w-0 [overflow-wrap:anywhere]">
                    <span className="font-medium">
                      <bdi>{nameActor(event.by, shopName)}</bdi>
                    </span>{' '}
                    <span className="text-muted">
                      {describeEntry(event)}
                      <bdi>{describeKey(event)}</bdi>
                      {facts.length > 0 && ': '}
                      <Facts facts={facts} />
                    </span>
                  </p>
                </li>
              );
            })}
          </ol>
        )}
      </QueryPanel>
    </Panel>
  );
}
