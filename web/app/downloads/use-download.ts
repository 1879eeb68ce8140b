import { createDownload, type DownloadRequest } from '@parts-forge/contract/files/downloads';
import { useMutation } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { openDownload } from '#app/ui/save-file.ts';
import { toast } from '#app/ui/toast.tsx';

/** Starts a download; failures appear as toasts. */
export function useDownload() {
  const link = useMutation({
    mutationFn: (file: DownloadRequest) => callShop(createDownload, { body: file }),
    onSuccess: ({ url }) => openDownload(url),
    onError: (error) => toast('error', describeError(error)),
  });
  return { download: (file: DownloadRequest) => link.mutate(file), isPreparing: link.isPending };
}
