import type { Delivery, Webhook } from '@parts-forge/contract/events/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { describeError } from '#app/errors/describe-error.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { BackLink } from '#app/ui/back-link.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Table } from '#app/ui/table.tsx';
import type { Route } from './+types/webhook-page';
import { Codes, SignInAgain } from './dialog-parts.tsx';
import { useChangeWebhook, useDeleteWebhook, webhooksQueryOptions } from './queries.ts';
import { WebhookSecretDialog } from './webhook-dialog.tsx';
import {
  describeAnswer,
  describeLast,
  MadeBy,
  SendButton,
  SwitchButton,
  WebhookState,
} from './webhooks-panel.tsx';

export default function WebhookPage({ params: { id } }: Route.ComponentProps) {
  const query = useQuery(webhooksQueryOptions);
  const webhook = query.data?.find(({ _id }) => _id === id);
  return (
    <>
      <PageHeading
        title="Webhook"
        heading={<span className="[overflow-wrap:anywhere]">{webhook?.url ?? 'Webhook'}</span>}
        above={<BackLink to="/dashboard/connections">Connections</BackLink>}
      />
      <QueryPanel query={query} what="The webhook" skeleton={<PanelsSkeleton heights={['h-96']} />}>
        {() =>
          webhook ? (
            <div className="grid gap-6">
              <WebhookPanel webhook={webhook} />
              {webhook.deliveries.length === 0 ? (
                <p className="text-muted">Nothing failed, and nothing was sent by hand.</p>
              ) : (
                <Table
                  className="pf-dense"
                  caption="Deliveries that failed or were sent by hand, newest first"
                  columns={listColumns(id)}
                  rows={webhook.deliveries}
                  getKey={({ _id }) => _id}
                />
              )}
            </div>
          ) : (
            <p>This webhook was removed.</p>
          )
        }
      </QueryPanel>
    </>
  );
}

const words = { sent: 'Taken', failed: 'Failed', 'set-aside': 'Set aside' };

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
      `${answer}, ${ms} ms${attempts > 1 ? `, ${attempts} attempts` : ''}`,
  },
  {
    head: 'Action',
    actions: true,
    cell: ({ event }: Delivery) => event && <SendButton id={id} event={event} to={`event ${event}`} />,
  },
];

function WebhookPanel({ webhook }: { webhook: Webhook }) {
  const [question, setQuestion] = useState<keyof typeof questions | null>(null);
  const { email } = useSignedInUser();
  return (
    <section className="pf-panel grid gap-4 p-6" aria-label="This webhook">
      <p className="flex flex-wrap gap-x-6 gap-y-1">
        <WebhookState of={webhook} />
        <span className="text-muted">{describeLast(webhook)}</span>
        <span className="text-muted">{describeAnswer(webhook)}</span>
        <span className="text-muted">
          Made by <MadeBy of={webhook} />
        </span>
      </p>
      <p>
        <Codes codes={webhook.types} />
      </p>
      <div className="flex flex-wrap gap-3">
        <SendButton id={webhook._id} to={webhook.url} />
        <SwitchButton of={webhook} />
        {webhook.state !== 'off' && webhook.madeBy?.email !== email && <SwitchButton of={webhook} takeOver />}
        <Button kind="line" size="row" onClick={() => setQuestion('secret')}>
          New secret
        </Button>
        <Button kind="danger-line" size="row" onClick={() => setQuestion('remove')}>
          Remove
        </Button>
      </div>
      {question && <ActDialog act={question} id={webhook._id} onClose={() => setQuestion(null)} />}
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
  remove: {
    title: 'Remove this webhook?',
    safe: 'Keep webhook',
    confirm: 'Remove',
    text: 'Its address is told nothing more, and its deliveries go.',
  },
};

function ActDialog({ act, id, onClose }: { act: keyof typeof questions; id: string; onClose: () => void }) {
  const change = useChangeWebhook(id);
  const navigate = useNavigate();
  const remove = useDeleteWebhook(id, () => navigate('/dashboard/connections'));
  const { isPending, error } = act === 'remove' ? remove : change;
  const { text, ...labels } = questions[act];
  if (change.data?.secret) return <WebhookSecretDialog secret={change.data.secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      {...labels}
      kind={act === 'remove' ? 'danger' : 'primary'}
      busy={isPending}
      failure={error}
      onClose={onClose}
      onConfirm={() => (act === 'remove' ? remove.mutate() : change.mutate({ secret: 'new' }))}
    >
      {error ? describeError(error) : text}
      <SignInAgain after={error} />
    </ConfirmDialog>
  );
}
