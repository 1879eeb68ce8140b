import { readUser } from '@parts-forge/contract/users';
import { queryOptions } from '@tanstack/react-query';
import { callShop } from '#app/api-client.ts';

/** One person's profile, with their role. Yours, or anybody's for administrators. */
export const userQuery = (email: string) =>
  queryOptions({
    queryKey: ['user', email],
    queryFn: ({ signal }) => callShop(readUser, { params: { email }, signal }),
  });
