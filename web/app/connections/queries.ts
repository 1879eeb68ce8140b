import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  type NewWebhook,
  sendDelivery,
  type WebhookChange,
} from '@parts-forge/contract/events/webhooks';
import { createKey, deleteKey, listKeys, type NewKey } from '@parts-forge/contract/people/keys';
import { queryOptions } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { useChange } from '#app/calls/use-change.ts';

export const keysQueryOptions = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await callShop(listKeys, { signal })).data,
});

/** Makes a call after what it may need, such as a recent sign-in. */
type Attempt<Texts> = <Answer>(texts: Texts, call: () => Promise<Answer>) => Promise<Answer>;

export const useCreateKey = <Texts>(attempt: Attempt<Texts>) =>
  useChange(
    ({ texts, ...body }: NewKey & { texts: Texts }) => attempt(texts, () => callShop(createKey, { body })),
    ['keys'],
  );

export const useEndKey = () => useChange((id: string) => callShop(deleteKey, { params: { id } }), ['keys']);

export const webhooksQueryOptions = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await callShop(listWebhooks, { signal })).data,
});

export const useCreateWebhook = <Texts>(attempt: Attempt<Texts>) =>
  useChange(
    ({ texts, ...body }: NewWebhook & { texts: Texts }) =>
      attempt(texts, () => callShop(createWebhook, { body })),
    ['webhooks'],
  );

export const useChangeWebhook = (id: string) =>
  useChange((body: WebhookChange) => callShop(changeWebhook, { params: { id }, body }), ['webhooks']);

/** `leave` its page before the lists show the change. */
export const useDeleteWebhook = (id: string, leave: () => unknown) =>
  useChange(async () => {
    await callShop(deleteWebhook, { params: { id } });
    await leave();
  }, ['webhooks']);

/** Without `event` a test. */
export const useSendDelivery = (id: string) =>
  useChange((body: { event?: number }) => callShop(sendDelivery, { params: { id }, body }), ['webhooks']);
