import type { User } from '@parts-forge/contract/users';
import { type ReactNode, useState } from 'react';
import { useChargesTax } from '#app/calls/shop-config.ts';
import { EmailText } from '#app/ui/email-text.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Panel } from '#app/ui/panel.tsx';
import { describeUntaxed, listCompanyFacts } from '#app/users/company-facts.tsx';
import { TaxDialog } from './tax-dialog.tsx';

/** The customer's profile. */
export function CustomerDetails({ user, lastSeen }: { user: User; lastSeen: string | undefined }) {
  const chargesTax = useChargesTax();
  const [isChangingTax, setIsChangingTax] = useState(false);
  return (
    <Panel heading="Details">
      <dl className="pf-spec">
        <Detail name="Email">
          <EmailText email={user.email} />
        </Detail>
        <Detail name="Role">{user.role}</Detail>
        <Detail name="Phone">{user.phone || notGiven}</Detail>
        <Detail name="Location">{user.location || notGiven}</Detail>
        {listCompanyFacts(user).map(({ name, value }) => (
          <Detail key={name} name={name}>
            {value}
          </Detail>
        ))}
        {chargesTax && (
          <Detail name="Tax on invoices">
            {user.untaxed ? describeUntaxed(user.untaxed) : 'As the shop charges it'}{' '}
            <button type="button" className="pf-link" onClick={() => setIsChangingTax(true)}>
              Change
            </button>
          </Detail>
        )}
        <Detail name="With us since">{formatDay(user.createdAt)}</Detail>
        <Detail name="Last seen">
          {lastSeen ? formatMoment(lastSeen) : <span className="text-muted">Not known</span>}
        </Detail>
      </dl>
      {isChangingTax && <TaxDialog user={user} onClose={() => setIsChangingTax(false)} />}
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
