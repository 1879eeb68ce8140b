import type { Product } from '@parts-forge/contract/products';
import { Download, Printer } from 'lucide';
import { createPortal } from 'react-dom';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Icon } from '#app/ui/icon.tsx';
// The public style sheet has no dialog styles.
import '#app/signed-in.css';

interface QrCodeDialogProps {
  part: Pick<Product, 'name' | 'number'>;
  href: string;
  onClose: () => void;
}

/**
 * The QR code, name and number of a part, to save or print. A child of the body, so that print styles can
 * hide everything else.
 */
export function QrCodeDialog({ part: { name, number }, href, onClose }: QrCodeDialogProps) {
  return createPortal(
    <div data-part-label="">
      <Dialog
        title="QR code"
        onClose={onClose}
        actions={
          <>
            <Button kind="line" data-focus-first onClick={onClose}>
              Close
            </Button>
            <a className={getButtonClasses('line')} href={href} download={`${number}.svg`}>
              <Icon of={Download} className="size-4" />
              Download
            </a>
            <Button kind="primary" onClick={() => window.print()}>
              <Icon of={Printer} className="size-4" />
              Print
            </Button>
          </>
        }
      >
        <img
          src={href}
          width="208"
          height="208"
          alt="QR code of the part's page"
          className="mx-auto my-4 size-52 rounded-field border border-base-300 bg-white"
        />
        <p className="text-center font-medium text-base-content [overflow-wrap:anywhere]">{name}</p>
        <p className="num text-center">{number}</p>
      </Dialog>
    </div>,
    document.body,
  );
}
