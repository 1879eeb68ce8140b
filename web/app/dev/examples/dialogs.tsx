import { type ReactNode, useState } from 'react';
import { DeleteAccountDialog } from '#app/account/delete-account-dialog.tsx';
import { CancelDialog } from '#app/orders/cancel-dialog.tsx';
import { RefundDialog } from '#app/orders/clerk/refund-dialog.tsx';
import { AddStockDialog, CorrectStockDialog } from '#app/products/manage/stock-dialogs.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { ResetLinkDialog } from '#app/users/reset-link-dialog.tsx';
import type { Example } from '../example.ts';
import { Provider } from '../provider.tsx';
import {
  administrator,
  customer,
  failure,
  ignore,
  pendingOrder,
  product,
  unpaidOrder,
} from '../sample-data.ts';

export const dialogs: readonly Example[] = [
  behindButton('ConfirmDialog, danger', (close) => (
    <ConfirmDialog
      title="Delete Amara Okafor?"
      safe="Keep user"
      confirm="Delete user"
      onClose={close}
      onConfirm={close}
    >
      <p>They are signed out everywhere.</p>
    </ConfirmDialog>
  )),
  behindButton('ConfirmDialog, primary', (close) => (
    <ConfirmDialog
      kind="primary"
      title="Make Amara Okafor an admin?"
      safe="Keep as user"
      confirm="Make Admin"
      onClose={close}
      onConfirm={close}
    >
      <p>They can then accept payments.</p>
    </ConfirmDialog>
  )),
  {
    name: 'ResetLinkDialog',
    render: () => (
      <Provider as={administrator}>
        <Opener>{(close) => <ResetLinkDialog user={customer} onClose={close} />}</Opener>
      </Provider>
    ),
  },
  {
    name: 'DeleteAccountDialog',
    render: () => (
      <Provider>
        <Opener>{(close) => <DeleteAccountDialog email={customer.email} onClose={close} />}</Opener>
      </Provider>
    ),
  },
  behindButton('CancelDialog', (close) => (
    <CancelDialog order={unpaidOrder} busy={false} onClose={close} onConfirm={close} />
  )),
  behindButton('CancelDialog, busy: close it by leaving the group', (close) => (
    <CancelDialog order={unpaidOrder} customer="Amara Okafor" busy onClose={close} onConfirm={ignore} />
  )),
  behindButton('RefundDialog', (close) => (
    <RefundDialog order={pendingOrder} busy={false} onClose={close} onConfirm={close} />
  )),
  behindButton('AddStockDialog', (close) => (
    <AddStockDialog product={product} error={null} busy={false} onClose={close} onConfirm={close} />
  )),
  behindButton('CorrectStockDialog after a failure', (close) => (
    <CorrectStockDialog product={product} error={failure} busy={false} onClose={close} onConfirm={close} />
  )),
];

function behindButton(name: string, renderDialog: (close: () => void) => ReactNode): Example {
  return { name, render: () => <Opener>{renderDialog}</Opener> };
}

function Opener({ children }: { children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="line" onClick={() => setOpen(true)}>
        Open
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
