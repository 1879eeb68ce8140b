import type { Delivery, Webhook } from '@parts-forge/contract/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { joinQueries, PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { describeError } from '#app/errors/describe-error.ts';
import { BackLink } from '#app/ui/back-link.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Table } from '#app/ui/table.tsx';
import { Codes, SignInAgain } from './dialog-parts.tsx';
import {
  deliveriesQueryOptions,
  useChangeWebhook,
  useDeleteWebhook,
  webhooksQueryOptions,
} from './queries.ts';
import { WebhookDialog, WebhookSecretDialog } from './webhook-dialog.tsx';
import { describeAnswer, describeLast, useSendTest, WebhookAction, WebhookState } from './webhooks-panel.tsx';

export function WebhookPage({ id }: { id: string }) {
  const query = joinQueries(useQuery(webhooksQueryOptions), useQuery(deliveriesQueryOptions(id)));
  const webhook = query.data?.[0].find(({ _id }) => _id === id);
  return (
    <>
      <PageHeading
        title="Webhook"
        heading={<span className="[overflow-wrap:anywhere]">{webhook?.url ?? 'Webhook'}</span>}
        above={<BackLink to="/dashboard/connections">Connections</BackLink>}
      />
      <QueryPanel
        query={query}
        what="The webhook"
        missing={<p>This webhook was removed.</p>}
        skeleton={<PanelsSkeleton heights={['h-96']} />}
      >
        {([, deliveries]) => (
          <div className="grid gap-6">
            {webhook && <WebhookPanel webhook={webhook} />}
            {deliveries.length === 0 ? (
              <p className="text-muted">Nothing failed, and nothing was sent by hand.</p>
            ) : (
              <Table
                className="pf-dense"
                caption="Deliveries that failed or were sent by hand, newest first"
                columns={listColumns(id)}
                rows={deliveries}
                getKey={({ _id }) => _id}
              />
            )}
          </div>
        )}
      </QueryPanel>
    </>
  );
}

const words = { sent: 'Taken', failed: 'Failed', 'set-aside': 'Set aside', gone: 'Lost' };

const listColumns = (id: string) => [
  { head: 'Time', cell: ({ at }: Delivery) => formatMoment(at) },
  {
    head: 'Event',
    cell: ({ type, event }: Delivery) => <Codes codes={[event ? `${type} ${event}` : type]} />,
  },
  { head: 'State', cell: ({ state }: Delivery) => words[state] },
  {
    head: 'Answer',
    cell: ({ answer, ms, attempts }: Delivery) =>
      `${describeAnswer(answer)}, ${ms} ms${attempts > 1 ? `, ${attempts} attempts` : ''}`,
  },
  {
    head: 'Action',
    actions: true,
    cell: ({ event, state }: Delivery) =>
      event !== undefined && state !== 'gone' && <SendAgain id={id} event={event} />,
  },
];

function SendAgain({ id, event }: { id: string; event: number }) {
  const send = useSendTest(id);
  return (
    <Button
      kind="line"
      size="row"
      busy={send.isPending}
      aria-label={`Send again: event ${event}`}
      onClick={() => send.mutate({ event })}
    >
      Send again
    </Button>
  );
}

type Act = keyof typeof questions;

function WebhookPanel({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<Act | 'change' | null>(null);
  const close = () => setOpen(null);
  const acts = (Object.keys(questions) as Act[]).filter((act) => act !== 'off' || webhook.state !== 'off');
  return (
    <section className="pf-panel grid gap-4 p-6" aria-label="This webhook">
      <p className="flex flex-wrap gap-x-6 gap-y-1">
        <WebhookState of={webhook} />
        <span className="text-muted">{describeLast(webhook)}</span>
      </p>
      <p>
        <Codes codes={webhook.types} />
      </p>
      <div className="flex flex-wrap gap-3">
        <WebhookAction of={webhook} />
        <Button kind="line" size="row" onClick={() => setOpen('change')}>
          Change
        </Button>
        {acts.map((act) => (
          <Button
            key={act}
            kind={act === 'remove' ? 'danger-line' : 'line'}
            size="row"
            onClick={() => setOpen(act)}
          >
            {questions[act].confirm}
          </Button>
        ))}
      </div>
      {open === 'change' && <WebhookDialog of={webhook} onClose={close} />}
      {open !== null && open !== 'change' && <ActDialog act={open} id={webhook._id} onClose={close} />}
    </section>
  );
}

const questions = {
  secret: {
    title: 'Give it a new secret?',
    safe: 'Keep secret',
    confirm: 'New secret',
    text: 'For 24 hours events are signed by both.',
  },
  off: {
    title: 'Switch it off?',
    safe: 'Leave on',
    confirm: 'Switch off',
    text: 'Switched on within 30 days, it gets what happened meanwhile.',
  },
  remove: {
    title: 'Remove this webhook?',
    safe: 'Keep webhook',
    confirm: 'Remove',
    text: 'Its address is told nothing more, and its deliveries go.',
  },
};

function ActDialog({ act, id, onClose }: { act: Act; id: string; onClose: () => void }) {
  const change = useChangeWebhook(id);
  const remove = useDeleteWebhook(id);
  const navigate = useNavigate();
  const { isPending, error } = act === 'remove' ? remove : change;
  const { text, ...labels } = questions[act];
  const run = () => {
    if (act === 'secret') change.mutate({ secret: 'new' });
    else if (act === 'off') change.mutate({ state: 'off' }, { onSuccess: onClose });
    else remove.mutate(undefined, { onSuccess: () => navigate('/dashboard/connections') });
  };
  if (change.data?.secret) return <WebhookSecretDialog secret={change.data.secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      {...labels}
      kind={act === 'remove' ? 'danger' : 'primary'}
      busy={isPending}
      failure={error}
      onClose={onClose}
      onConfirm={run}
    >
      {error ? describeError(error) : text}
      <SignInAgain after={error} />
    </ConfirmDialog>
  );
}
