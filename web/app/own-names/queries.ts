import {
  type Alias,
  addAliasFile,
  listAliases,
  removeAlias,
  writeAlias,
} from '@parts-forge/contract/orders/aliases';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';
import { useChange } from '#app/calls/use-change.ts';
import { takeFile } from '#app/ui/files.ts';

/** Lines of the batch show names, too. */
const keys = [['own-names'], ['batch']];

/** @param q the search; empty for all */
export const aliasListQueryOptions = (q: string) =>
  listQueryOptions(['own-names', q], (page, signal) =>
    callList(listAliases, { query: { ...page, q }, signal }),
  );

/** With `was` it takes that name's place. */
export const useWriteAlias = () =>
  useChange(
    (body: { alias: string; productId: string; was?: string }) => callShop(writeAlias, { body }),
    ...keys,
  );

export const useRemoveAlias = () =>
  useChange(({ alias }: Alias) => callShop(removeAlias, { query: { alias } }), ...keys);

export const useAddAliasFile = () =>
  useChange(
    async (files: readonly File[]) => callShop(addAliasFile, { file: takeFile(files).file }),
    ...keys,
  );
