import type { Role } from '@parts-forge/contract/policies';
import { useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { IdentityUser } from '#app/session/identity-client.ts';
import { userQueryOptions } from '#app/users/queries.ts';

/** Given by the guard to everything behind it. */
export const SignedInUser = createContext<IdentityUser | null>(null);

/** Whose page this is. It stays when the sign-in ends while something is being typed. Behind the guard only. */
export function useSignedInUser(): IdentityUser {
  const user = use(SignedInUser);
  if (!user) throw new Error('useSignedInUser belongs behind the guard');
  return user;
}

/** The signed-in person's role; 'user' until it is loaded (specification §3). Behind the guard only. */
export function useRole(): Role {
  return useQuery(userQueryOptions(useSignedInUser().email)).data?.role ?? 'user';
}
