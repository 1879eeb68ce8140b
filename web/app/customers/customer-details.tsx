import type { User } from '@parts-forge/contract/users';
import type { ReactNode } from 'react';
import { EmailText } from '#app/ui/email-text.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Panel } from '#app/ui/panel.tsx';

/** The customer's profile. */
export function CustomerDetails({ user, lastSeen }: { user: User; lastSeen: string | undefined }) {
  return (
    <Panel heading="Details">
      <dl className="pf-spec">
        <Detail name="Email">
          <EmailText email={user.email} />
        </Detail>
        <Detail name="Role">{user.role}</Detail>
        <Detail name="Phone">{user.phone || notGiven}</Detail>
        <Detail name="Location">{user.location || notGiven}</Detail>
        <Detail name="With us since">{formatDay(user.createdAt)}</Detail>
        <Detail name="Last seen">
          {lastSeen ? formatMoment(lastSeen) : <span className="text-muted">Not known</span>}
        </Detail>
      </dl>
    </Panel>
  );
}

const notGiven = <span className="text-muted">Not given yet</span>;

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="!font-normal">{children}</dd>
    </div>
  );
}
