import { createDownload, type DownloadRequest } from '@parts-forge/contract/files/downloads';
import { useMutation } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { toastError } from '#app/errors/toast-error.ts';
import { openDownload } from '#app/ui/save-file.ts';

/** Starts a download; failures appear as toasts. */
export function useDownload() {
  const link = useMutation({
    mutationFn: (file: DownloadRequest) => callShop(createDownload, { body: file }),
    onSuccess: ({ url }) => openDownload(url),
    onError: toastError,
  });
  return { download: (file: DownloadRequest) => link.mutate(file), isPreparing: link.isPending };
}
