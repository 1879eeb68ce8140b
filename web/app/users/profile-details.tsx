import type { User } from '@parts-forge/contract/people/users';
import type { ReactNode } from 'react';
import { useChargesTax } from '#app/calls/shop-config.ts';
import { EmailText } from '#app/ui/email-text.tsx';
import { describeTax, listCompanyFacts } from './company-facts.tsx';

/** Missing values are named. */
export function ProfileDetails({ user }: { user: User }) {
  const chargesTax = useChargesTax();
  return (
    <section className="pf-panel p-6" aria-labelledby="details-heading">
      <h2 id="details-heading" className="display mb-3 text-h4">
        Your details
      </h2>
      <dl>
        <Detail term="Name">
          <bdi>{user.name}</bdi>
        </Detail>
        <Detail term="Email">
          <EmailText email={user.email} />
        </Detail>
        <Detail term="Education">{user.education}</Detail>
        <Detail term="Location">{user.location}</Detail>
        <Detail term="Phone">{user.phone}</Detail>
        <Detail term="LinkedIn">
          {user.linkdin && (
            <a className="pf-link inline-block min-h-6" href={user.linkdin} rel="noopener noreferrer">
              {user.linkdin.replace(/^https?:\/\/(www\.)?/i, '')}
            </a>
          )}
        </Detail>
        {listCompanyFacts(user).map(({ name, value }) => (
          <Detail key={name} term={name}>
            {value}
          </Detail>
        ))}
        {chargesTax && describeTax(user) && <Detail term="Tax">{describeTax(user)}</Detail>}
      </dl>
    </section>
  );
}

function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 border-base-300 py-3 sm:grid-cols-[7.5rem_minmax(0,1fr)] [&+div]:border-t">
      <dt className="text-sm leading-6 text-muted">{term}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">
        {children || <span className="text-muted">Not given yet</span>}
      </dd>
    </div>
  );
}
