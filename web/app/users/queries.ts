import { createResetLink } from '@parts-forge/contract/accounts';
import type { Role } from '@parts-forge/contract/policies';
import {
  changeRole,
  deleteUser,
  listUsers,
  type Profile,
  readUser,
  updateProfile,
} from '@parts-forge/contract/users';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';

/** Somebody's profile, with the role: one's own, or anybody's for administrators. */
export const userQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['user', email],
    queryFn: ({ signal }) => callShop(readUser, { params: { email }, signal }),
  });

/** All users, for administrators, newest first. `q` searches name and email. */
export const userListQueryOptions = (q: string) =>
  listQueryOptions(['users', 'all', q], (page, signal) =>
    callList(listUsers, { query: { ...page, ...(q && { q }) }, signal }),
  );

/** Makes a user an administrator, or an administrator a user. Done when list and page show it. */
export function useChangeRole() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ email, role }: { email: string; role: Role }) =>
      callShop(changeRole, { params: { email }, body: { role } }),
    onSettled: (_data, _error, { email }) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['users'] }),
        queries.invalidateQueries(userQueryOptions(email)),
      ]),
  });
}

/** Makes a link with which a customer sets a new password; the one before no longer opens anything. */
export function useCreateResetLink() {
  return useMutation({
    mutationFn: (email: string) => callShop(createResetLink, { params: { email } }),
  });
}

/** Removes a user, who is signed out everywhere at once. Done when the list shows it. */
export function useDeleteUser() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => callShop(deleteUser, { params: { email } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  });
}

/**
 * Changes one's own profile. Done when the details show it. When the sign-in has ended the page stays, with
 * what was typed (contract, "Accounts").
 */
export function useUpdateProfile(email: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (profile: Profile) =>
      callShop(updateProfile, { params: { email }, body: profile, whenSignedOut: 'stay' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: userQueryOptions(email).queryKey }),
  });
}
