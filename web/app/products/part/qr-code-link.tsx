import type { Product } from '@parts-forge/contract/products';
import { QrCode } from 'lucide';
import { type MouseEvent, useState } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import type { QrCodeDialog } from './qr-code-dialog.tsx';

/**
 * Without JavaScript, in a new tab, or when loading the dialog fails, the link leads to the bare picture. Few
 * visitors want the label, so a click loads the dialog.
 */
export function QrCodeLink({ part }: { part: Pick<Product, '_id' | 'name' | 'number'> }) {
  const [Dialog, setDialog] = useState<typeof QrCodeDialog | null>(null);
  const href = `/products/${part._id}/qr.svg`;
  const open = async (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    try {
      const { QrCodeDialog } = await import('./qr-code-dialog.tsx');
      setDialog(() => QrCodeDialog);
    } catch {
      location.assign(href);
    }
  };
  return (
    <>
      <a
        className="pf-link inline-flex min-h-8 items-center gap-1.5 text-sm"
        href={href}
        onClick={(event) => void open(event)}
      >
        <Icon of={QrCode} className="size-4" />
        QR code
      </a>
      {Dialog && <Dialog part={part} href={href} onClose={() => setDialog(null)} />}
    </>
  );
}
