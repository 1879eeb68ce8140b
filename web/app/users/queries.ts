import type { Given } from '@parts-forge/contract/calls/call';
import type { Role } from '@parts-forge/contract/calls/policies';
import { listWebhooks } from '@parts-forge/contract/events/webhooks';
import { createResetLink } from '@parts-forge/contract/people/accounts';
import {
  changeRole,
  changeTax,
  deleteUser,
  listUsers,
  type Profile,
  readUser,
  updateProfile,
} from '@parts-forge/contract/people/users';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';
import { useChange } from '#app/calls/use-change.ts';

/** One's own profile and role, or anybody's for administrators. */
export const userQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['user', email],
    queryFn: ({ signal }) => callShop(readUser, { params: { email }, signal }),
  });

/**
 * For administrators, newest first. `q` searches name and email.
 * @param asked only those who wait for a password link
 */
export const userListQueryOptions = (q: string, asked = false) =>
  listQueryOptions(['users', 'all', q, asked], (page, signal) =>
    callList(listUsers, { query: { ...page, ...(q && { q }), ...(asked && { asked: 'true' }) }, signal }),
  );

/** Addresses that are told nothing more once the person is no administrator. */
export const madeWebhooksQueryOptions = (userId: string) =>
  queryOptions({
    queryKey: ['webhooks', 'made', userId],
    queryFn: async ({ signal }) => {
      const { data } = await callShop(listWebhooks, { signal });
      return data.filter(({ madeBy, state }) => madeBy?._id === userId && state !== 'off');
    },
  });

export const useChangeRole = () =>
  useChange(
    ({ email, role }: { email: string; role: Role }) =>
      callShop(changeRole, { params: { email }, body: { role } }),
    ['users'],
    ['user'],
    ['webhooks'],
  );

export const useChangeTax = (email: string) =>
  useChange(
    (body: Given<NonNullable<typeof changeTax.body>>) => callShop(changeTax, { params: { email }, body }),
    ['user', email],
  );

/** The previous link becomes void. */
export function useCreateResetLink() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => callShop(createResetLink, { params: { email } }),
    // The person no longer waits for one.
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['users'] }),
  });
}

/** Signs the user out everywhere. */
export const useDeleteUser = () =>
  useChange((email: string) => callShop(deleteUser, { params: { email } }), ['users']);

/**
 * Settles when the details show the change. The page and its input stay if the sign-in has ended (contract,
 * "Accounts").
 */
export function useUpdateProfile(email: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (profile: Profile) =>
      callShop(updateProfile, { params: { email }, body: profile, whenSignedOut: 'stay' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: userQueryOptions(email).queryKey }),
  });
}
