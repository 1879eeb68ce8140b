import { listMail, readMail } from '@parts-forge/contract/events/mail';
import { queryOptions } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';

/** All mails, newest first. */
export const mailListQueryOptions = () =>
  listQueryOptions(['mail', 'all'], (page, signal) => callList(listMail, { query: page, signal }));

export const mailQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['mail', id],
    queryFn: ({ signal }) => callShop(readMail, { params: { id }, signal }),
  });
