import type { Role } from '@parts-forge/contract/calls/policies';
import { useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { IdentityUser } from '#app/session/identity-client.ts';
import { userQueryOptions } from '#app/users/queries.ts';

/** Provided by the guard. */
export const SignedInUser = createContext<IdentityUser | null>(null);

/** Stays when the sign-in ends, so that input survives. Only behind the guard. */
export function useSignedInUser(): IdentityUser {
  const user = use(SignedInUser);
  if (!user) throw new Error('useSignedInUser belongs behind the guard');
  return user;
}

/** 'user' until it is loaded (specification §3). Only behind the guard. */
export function useRole(): Role {
  return useQuery(userQueryOptions(useSignedInUser().email)).data?.role ?? 'user';
}
