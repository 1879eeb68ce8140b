import { createKey, deleteKey, listKeys, type NewKey } from '@parts-forge/contract/keys';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  type NewWebhook,
  sendDelivery,
  type WebhookChange,
} from '@parts-forge/contract/webhooks';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';

export const keysQueryOptions = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await callShop(listKeys, { signal })).data,
});

export const useCreateKey = () => useConnectionCall('keys', (body: NewKey) => callShop(createKey, { body }));

export const useEndKey = () =>
  useConnectionCall('keys', (id: string) => callShop(deleteKey, { params: { id } }));

export const webhooksQueryOptions = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await callShop(listWebhooks, { signal })).data,
});

export const useCreateWebhook = () =>
  useConnectionCall('webhooks', (body: NewWebhook) => callShop(createWebhook, { body }));

export const useChangeWebhook = (id: string) =>
  useConnectionCall('webhooks', (body: WebhookChange) => callShop(changeWebhook, { params: { id }, body }));

/** `leave` its page before the lists show the change. */
export const useDeleteWebhook = (id: string, leave: () => unknown) =>
  useConnectionCall('webhooks', async () => {
    await callShop(deleteWebhook, { params: { id } });
    await leave();
  });

/** Without `event` a test. */
export const useSendDelivery = (id: string) =>
  useConnectionCall('webhooks', (body: { event?: number }) =>
    callShop(sendDelivery, { params: { id }, body }),
  );

/** Settles when the lists show the change. */
function useConnectionCall<Input, Answer>(list: string, mutationFn: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queries.invalidateQueries({ queryKey: [list] }),
  });
}
