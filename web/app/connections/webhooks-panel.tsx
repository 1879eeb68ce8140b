import type { Webhook } from '@parts-forge/contract/webhooks';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Clock } from 'lucide';
import { useState } from 'react';
import { Link } from 'react-router';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { describeError } from '#app/errors/describe-error.ts';
import { Button } from '#app/ui/button.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Table } from '#app/ui/table.tsx';
import { toast } from '#app/ui/toast.tsx';
import { ConnectionsPanel } from './connections-panel.tsx';
import { useChangeWebhook, useSendDelivery, webhooksQueryOptions } from './queries.ts';
import { NewWebhookDialog } from './webhook-dialog.tsx';

export function WebhooksPanel() {
  const query = useQuery(webhooksQueryOptions);
  const [isNew, setIsNew] = useState(false);
  return (
    <ConnectionsPanel
      heading="Webhooks"
      about="The shop tells an address what happens. Signed, in order, tried again for five days."
      button="New webhook"
      onNew={() => setIsNew(true)}
    >
      <QueryPanel query={query} what="The webhooks" skeleton={<PanelsSkeleton heights={['h-24']} />}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <p className="px-6 pb-6 text-muted">No address is told.</p>
          ) : (
            <Table
              className="pf-dense"
              caption="Webhooks"
              columns={columns}
              rows={webhooks}
              getKey={({ _id }) => _id}
            />
          )
        }
      </QueryPanel>
      {isNew && <NewWebhookDialog onClose={() => setIsNew(false)} />}
    </ConnectionsPanel>
  );
}

const columns = [
  { head: 'State', cell: (webhook: Webhook) => <WebhookState of={webhook} /> },
  {
    head: 'Address',
    cell: ({ _id, url }: Webhook) => (
      <Link className="pf-link [overflow-wrap:anywhere]" to={`/dashboard/webhooks/${_id}`}>
        {url}
      </Link>
    ),
  },
  { head: 'Events', right: true, cell: ({ types }: Webhook) => types.length },
  { head: 'Last', cell: describeLast },
  { head: 'Answer', cell: describeAnswer },
  {
    head: 'Action',
    actions: true,
    cell: (webhook: Webhook) =>
      webhook.state === 'off' ? (
        <SwitchButton of={webhook} />
      ) : (
        <SendButton id={webhook._id} to={webhook.url} />
      ),
  },
];

const states = {
  on: { icon: CircleCheck, look: 'text-success', word: 'On' },
  behind: { icon: Clock, look: 'text-warning', word: 'Behind' },
  off: { icon: CircleAlert, look: 'text-error', word: 'Off' },
};

export function WebhookState({ of: { state } }: { of: Webhook }) {
  const { icon, look, word } = states[state];
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap font-medium">
      <Icon of={icon} className={`size-4 ${look}`} />
      {word}
    </span>
  );
}

export function describeLast({ last, waiting, deliveries, failingSince }: Webhook): string {
  const setAside = deliveries.filter(({ state }) => state === 'set-aside').length;
  const since = failingSince ? ` since ${formatMoment(failingSince)}` : '';
  return [
    last ? `${last.type}, ${formatMoment(last.at)}` : 'nothing yet',
    ...(waiting > 0 ? [`${waiting} waiting${since}`] : []),
    ...(setAside > 0 ? [`${setAside} set aside`] : []),
  ].join('; ');
}

export function describeAnswer({ last }: Webhook): string {
  return last ? `${last.answer}, ${last.ms} ms` : '';
}

export function SwitchButton({ of: { _id, url, state } }: { of: Webhook }) {
  const change = useChangeWebhook(_id);
  const name = state === 'off' ? 'Switch on' : 'Switch off';
  return (
    <Button
      kind="line"
      size="row"
      aria-label={`${name}: ${url}`}
      busy={change.isPending}
      onClick={() =>
        change.mutate(
          { state: state === 'off' ? 'on' : 'off' },
          { onError: (error) => toast('error', describeError(error)) },
        )
      }
    >
      {name}
    </Button>
  );
}

/** Sends an event again, or a test, and says what the receiver answered. */
export function SendButton({ id, event, to }: { id: string; event?: number; to: string }) {
  const send = useSendDelivery(id);
  const name = event ? 'Send again' : 'Send a test';
  return (
    <Button
      kind="line"
      size="row"
      aria-label={`${name}: ${to}`}
      busy={send.isPending}
      onClick={() =>
        send.mutate(event ? { event } : {}, {
          onSuccess: ({ data: { state, answer, ms } }) =>
            state === 'sent'
              ? toast('success', `The receiver took it in ${ms} ms`)
              : toast('error', `The receiver did not take it: ${answer}`),
          onError: (error) => toast('error', describeError(error)),
        })
      }
    >
      {name}
    </Button>
  );
}
