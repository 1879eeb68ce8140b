import type { Webhook } from '@parts-forge/contract/events/webhooks';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Clock } from 'lucide';
import { useState } from 'react';
import { Link } from 'react-router';
import { toastError } from '#app/errors/toast-error.ts';
import { Button } from '#app/ui/button.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Icon } from '#app/ui/icon.tsx';
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
      query={query}
      empty="No address is told."
      columns={columns}
    >
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
  { head: 'Made by', cell: (webhook: Webhook) => <MadeBy of={webhook} /> },
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

export const MadeBy = ({ of: { madeBy, createdAt } }: { of: Webhook }) => (
  <>
    <bdi>{madeBy ? (madeBy.name ?? 'a deleted person') : 'unknown'}</bdi>, {formatDay(createdAt)}
  </>
);

interface SwitchButtonProps {
  of: Webhook;
  takeOver?: boolean;
}

/** Who switches it on, or takes it over, is its maker from then on. */
export function SwitchButton({ of: { _id, url, state }, takeOver = false }: SwitchButtonProps) {
  const change = useChangeWebhook(_id);
  const name = takeOver ? 'Take over' : state === 'off' ? 'Switch on' : 'Switch off';
  const next = takeOver || state === 'off' ? 'on' : 'off';
  const send = () => change.mutate({ state: next }, { onError: toastError });
  return <RowButton name={name} to={url} busy={change.isPending} onClick={send} />;
}

/** Sends an event again, or a test, and says what the receiver answered. */
export function SendButton({ id, event, to }: { id: string; event?: number; to: string }) {
  const sending = useSendDelivery(id);
  const send = () =>
    sending.mutate(event ? { event } : {}, {
      onSuccess: ({ data: { state, answer, ms } }) =>
        state === 'sent'
          ? toast('success', `The receiver took it in ${ms} ms`)
          : toast('error', `The receiver did not take it: ${answer}`),
      onError: toastError,
    });
  const name = event ? 'Send again' : 'Send a test';
  return <RowButton name={name} to={to} busy={sending.isPending} onClick={send} />;
}

interface RowButtonProps {
  name: string;
  /** For its accessible name. */
  to: string;
  busy: boolean;
  onClick: () => void;
}

const RowButton = ({ name, to, busy, onClick }: RowButtonProps) => (
  <Button kind="line" size="row" aria-label={`${name}: ${to}`} busy={busy} onClick={onClick}>
    {name}
  </Button>
);
