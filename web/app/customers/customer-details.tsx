import type { User } from '@parts-forge/contract/people/users';
import { useState } from 'react';
import { useChargesTax } from '#app/calls/shop-config.ts';
import { EmailText } from '#app/ui/email-text.tsx';
import { Fact } from '#app/ui/fact.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Panel } from '#app/ui/panel.tsx';
import { describeTax, listCompanyFacts } from '#app/users/company-facts.tsx';
import { TaxDialog } from './tax-dialog.tsx';

export function CustomerDetails({ user, lastSeen }: { user: User; lastSeen: string | undefined }) {
  const chargesTax = useChargesTax();
  const [isChangingTax, setIsChangingTax] = useState(false);
  return (
    <Panel heading="Details">
      <dl className="pf-spec [&_dd]:!font-normal">
        <Fact name="Email">
          <EmailText email={user.email} />
        </Fact>
        <Fact name="Role">{user.role}</Fact>
        <Fact name="Phone">{user.phone || notGiven}</Fact>
        <Fact name="Location">{user.location || notGiven}</Fact>
        {listCompanyFacts(user).map(({ name, value }) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        {chargesTax && (
          <Fact name="Tax">
            {describeTax(user) ?? 'As the shop charges it'}{' '}
            <button type="button" className="pf-link" onClick={() => setIsChangingTax(true)}>
              Change
            </button>
          </Fact>
        )}
        <Fact name="With us since">{formatDay(user.createdAt)}</Fact>
        <Fact name="Last seen">
          {lastSeen ? formatMoment(lastSeen) : <span className="text-muted">Not known</span>}
        </Fact>
      </dl>
      {isChangingTax && <TaxDialog user={user} onClose={() => setIsChangingTax(false)} />}
    </Panel>
  );
}

const notGiven = <span className="text-muted">Not given yet</span>;
