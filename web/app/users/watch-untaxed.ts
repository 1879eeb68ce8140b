import { QueryObserver } from '@tanstack/react-query';
import { queryClient } from '#app/calls/query-client.ts';
import { userQueryOptions } from './queries.ts';

/** @returns ends it */
export const watchUntaxed = (email: string, onChange: (isUntaxed: boolean) => void): (() => void) =>
  new QueryObserver(queryClient, userQueryOptions(email)).subscribe(({ data }) =>
    onChange(data?.untaxed !== undefined),
  );
