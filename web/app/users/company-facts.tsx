import { nameCountry } from '@parts-forge/contract/countries';
import type { User } from '@parts-forge/contract/users';
import type { ReactNode } from 'react';

/** As on the next invoice; without a company nothing. */
export function listCompanyFacts({ company, taxNumber, billingAddress, country }: User) {
  const facts: { name: string; value: ReactNode }[] = [
    { name: 'Company', value: company },
    { name: 'Tax number', value: taxNumber },
    {
      name: 'Billing address',
      value: billingAddress && <span className="whitespace-pre-line">{billingAddress}</span>,
    },
    { name: 'Country', value: country && nameCountry(country) },
  ];
  return facts.filter(({ value }) => value);
}

/** `Exempt: a charity`. */
export const describeUntaxed = ({ tax, reason }: NonNullable<User['untaxed']>): string =>
  `${tax === 'exempt' ? 'Exempt' : 'Reverse charge'}: ${reason}`;
