import type { User } from '@parts-forge/contract/users';

/** `Exempt: a charity`. */
export const describeUntaxed = ({ tax, reason }: NonNullable<User['untaxed']>): string =>
  `${tax === 'exempt' ? 'Exempt' : 'Reverse charge'}: ${reason}`;
