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
import { WebhookDialog } from './webhook-dialog.tsx';

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
      {isNew && <WebhookDialog onClose={() => setIsNew(false)} />}
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
  { head: 'Answer', cell: describeLastAnswer },
  { head: 'Action', actions: true, cell: (webhook: Webhook) => <WebhookAction of={webhook} /> },
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

export function describeLast({ last, waiting, failingSince }: Webhook): string {
  if (failingSince) return `${waiting} waiting since ${formatMoment(failingSince)}`;
  return last ? `${last.type}, ${formatMoment(last.at)}` : 'nothing yet';
}

function describeLastAnswer({ state, last, nextAttemptAt }: Webhook): string {
  if (!last) return '–';
  if (state === 'on') return `${last.ms} ms`;
  return `${describeAnswer(last.answer)}${nextAttemptAt ? `, again ${formatMoment(nextAttemptAt)}` : ''}`;
}

const reasons: Readonly<Record<string, string>> = {
  TIMEOUT: 'no answer within 10 s',
  PRIVATE_ADDRESS: 'a private address',
  EVENTS_GONE: 'older than 30 days',
};

export const describeAnswer = (answer: string): string =>
  reasons[answer] ?? (/^3\d\d$/.test(answer) ? `${answer}, a redirect` : answer);

/** Sends a test, or switches on. */
export function WebhookAction({ of: { _id, url, state } }: { of: Webhook }) {
  const send = useSendTest(_id);
  const change = useChangeWebhook(_id);
  const isOff = state === 'off';
  const switchOn = () =>
    change.mutate({ state: 'on' }, { onError: (error) => toast('error', describeError(error)) });
  const name = isOff ? 'Switch on' : 'Send a test';
  return (
    <Button
      kind="line"
      size="row"
      className="whitespace-nowrap"
      aria-label={`${name}: ${url}`}
      busy={send.isPending || change.isPending}
      onClick={isOff ? switchOn : () => send.mutate({})}
    >
      {name}
    </Button>
  );
}

/** Says what the receiver answered. */
export function useSendTest(id: string) {
  const send = useSendDelivery(id);
  const mutate = (body: { event?: number }) =>
    send.mutate(body, {
      onSuccess: ({ data: { state, answer, ms } }) =>
        state === 'sent'
          ? toast('success', `The receiver took it in ${ms} ms`)
          : toast('error', `The receiver did not take it: ${describeAnswer(answer)}`),
      onError: (error) => toast('error', describeError(error)),
    });
  return { isPending: send.isPending, mutate };
}
