import type { Session } from '@parts-forge/contract/people/identity-service';
import { useQuery } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide';
import { type ReactNode, useRef } from 'react';
import { joinQueries, PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { describeBrowser } from './describe-browser.ts';
import { sessionsQueryOptions, signedInQueryOptions, useEndSessions } from './queries.ts';

export function Sessions({ email }: { email: string }) {
  const query = joinQueries(useQuery(sessionsQueryOptions(email)), useQuery(signedInQueryOptions(email)));
  return (
    <Panel
      heading="Sessions"
      about="Where you are signed in. End a session that you do not know, then change your password."
    >
      <QueryPanel query={query} what="Your sessions" skeleton={<PanelsSkeleton heights={['h-16']} />}>
        {([sessions, { session }]) => <SessionList sessions={sessions} currentId={session.id} />}
      </QueryPanel>
    </Panel>
  );
}

function SessionList({ sessions, currentId }: { sessions: readonly Session[]; currentId: string }) {
  const online = useOnline();
  const list = useRef<HTMLUListElement>(null);
  const { ending, end } = useEnding(() => list.current?.focus());
  const current = sessions.find(({ id }) => id === currentId);
  const others = sessions.filter(({ id }) => id !== currentId);
  return (
    <>
      <FormError error={ending.error} className="mb-5" advice="Try again." />
      <ul ref={list} tabIndex={-1} aria-label="Where you are signed in" className="grid outline-none">
        {current && <SessionRow session={current} isCurrent />}
        {others.map((session) => (
          <SessionRow key={session.id} session={session}>
            <Button
              kind="line"
              size="row"
              aria-label={`End: ${describeBrowser(session.userAgent)}, signed in ${formatMoment(session.createdAt)}`}
              busy={ending.isPending && ending.variables.includes(session.token)}
              busyLabel="Ending…"
              disabled={!online}
              onClick={() => end([session])}
            >
              End
            </Button>
          </SessionRow>
        ))}
      </ul>
      {others.length > 1 && (
        <Button
          kind="line"
          size="bar"
          className="mt-4 max-sm:w-full"
          busy={ending.isPending && ending.variables.length > 1}
          busyLabel="Ending…"
          disabled={!online}
          onClick={() => end(others)}
        >
          End all others
        </Button>
      )}
      {others.length === 0 && <p className="mt-3 text-muted">You are signed in nowhere else.</p>}
    </>
  );
}

/**
 * Ends sessions and reports it. The pressed button disappears with its row, so the focus moves to the rest.
 */
function useEnding(focusRest: () => void) {
  const ending = useEndSessions();
  const end = (ended: readonly Session[]) =>
    ending.mutate(
      ended.map(({ token }) => token),
      {
        onSuccess: () => {
          toast('success', ended.length === 1 ? 'Session ended' : 'All other sessions ended');
          requestAnimationFrame(focusRest);
        },
      },
    );
  return { ending, end };
}

interface SessionRowProps {
  session: Session;
  isCurrent?: boolean;
  /** The button that ends it. */
  children?: ReactNode;
}

function SessionRow({ session, isCurrent = false, children }: SessionRowProps) {
  const { userAgent, createdAt, updatedAt, ipAddress } = session;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-base-300 py-3 [&+li]:border-t">
      <Icon of={MonitorSmartphone} className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">
          {describeBrowser(userAgent)}
          {isCurrent && <span className="ml-2 text-sm text-primary">This browser</span>}
        </p>
        <p className="num text-sm text-muted [overflow-wrap:anywhere]">
          Last used {formatMoment(updatedAt)}, signed in {formatMoment(createdAt)}
          {ipAddress && ` from ${ipAddress}`}
        </p>
      </div>
      {children}
    </li>
  );
}
