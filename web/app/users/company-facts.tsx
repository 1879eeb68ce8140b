import type { User } from '@parts-forge/contract/people/users';
import { nameCountry } from '@parts-forge/contract/text/countries';
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

/** `Exempt: a charity`; undefined for a customer who pays tax. */
export function describeTax({ untaxed, taxToCheck }: User): string | undefined {
  const { tax, reason } = untaxed ?? taxToCheck ?? {};
  if (tax === undefined) return undefined;
  const named = `${tax === 'exempt' ? 'Exempt' : 'Reverse charge'}: ${reason}`;
  return untaxed ? named : `Charged until we have checked the changed profile. Before: ${named}`;
}
