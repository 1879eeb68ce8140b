import { hasCreditNote, hasInvoice } from '@parts-forge/contract/files/downloads';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { ComponentProps } from 'react';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { useDownload } from '#app/downloads/use-download.ts';
import { listPapers } from './list-papers.ts';

interface OrderInvoicesProps extends Pick<ComponentProps<typeof DownloadButton>, 'size' | 'className'> {
  order: Order;
}

/** Downloads of the invoice and credit note, if they exist. */
export function OrderInvoices({ order, ...look }: OrderInvoicesProps) {
  return (
    <>
      {hasInvoice(order) && (
        <DownloadButton {...look} file={{ what: 'invoice', order: order._id }}>
          Invoice (PDF)
        </DownloadButton>
      )}
      {hasCreditNote(order) && (
        <DownloadButton {...look} file={{ what: 'credit-note', order: order._id }}>
          Credit note (PDF)
        </DownloadButton>
      )}
    </>
  );
}

/** The numbers of their invoices, each a download; nothing without one. */
export function InvoiceLinks({ orders }: { orders: readonly Order[] }) {
  const { download } = useDownload();
  return listPapers(orders)
    .filter(({ kind }) => kind === 'invoice')
    .map(({ number, order }) => (
      <button
        key={number}
        type="button"
        className="pf-link not-last:mr-3"
        aria-label={`Invoice ${number}`}
        onClick={() => download({ what: 'invoice', order })}
      >
        {number}
      </button>
    ));
}
