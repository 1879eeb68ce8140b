import type { DownloadRequest } from '@parts-forge/contract/files/downloads';
import { Download } from 'lucide';
import type { ComponentProps } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { useDownload } from './use-download.ts';

interface DownloadButtonProps
  extends Pick<ComponentProps<typeof Button>, 'size' | 'className' | 'aria-label'> {
  /** For example `{ what: 'invoice', order: id }` or `{ what: 'orders', filters }`. */
  file: DownloadRequest;
  icon?: typeof Download;
  /** `Invoice (PDF)`, `Export CSV`. */
  children: string;
}

/** Downloads a file. Check `hasInvoice` and `hasCreditNote` before offering those. */
export function DownloadButton({ file, icon = Download, children, ...look }: DownloadButtonProps) {
  const online = useOnline();
  const { download, isPreparing } = useDownload();
  return (
    <Button
      kind="line"
      size="bar"
      {...look}
      busy={isPreparing}
      busyLabel="Preparing…"
      disabled={!online}
      onClick={() => download(file)}
    >
      <Icon of={icon} className="size-4" />
      {children}
    </Button>
  );
}
