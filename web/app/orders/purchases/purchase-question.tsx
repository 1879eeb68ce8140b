import type { Order } from '@parts-forge/contract/orders/orders';
import { AcceptQuestion } from '#app/orders/clerk/chosen-for-clerk.tsx';
import { isAcceptable } from '#app/orders/clerk/use-acceptance.tsx';
import { OrderAgain } from '#app/orders/mine/order-again.tsx';
import { AddBox } from '#app/orders/parcels/add-parcel.tsx';
import { isPayable, isPending, isToSend } from '#app/orders/states/order-conditions.ts';
import { CancelUnpaid } from './cancel-unpaid.tsx';

export interface AskedOfPurchase {
  act: 'accept' | 'cancel' | 'parcel' | 'again';
  /** Those that cannot take part are left out. */
  lines: readonly Order[];
}

interface PurchaseQuestionProps extends AskedOfPurchase {
  onAccept: (orders: readonly Order[]) => void;
  onRefused: (order: Order, error: Error) => void;
  onAdded: (orders: readonly Order[]) => void;
  onClose: () => void;
}

/** The open question about orders of a purchase. */
export function PurchaseQuestion({ act, lines, onAccept, ...answers }: PurchaseQuestionProps) {
  const { onClose, onRefused } = answers;
  switch (act) {
    case 'accept': {
      const orders = lines.filter(isAcceptable);
      const leftOut = lines.filter((order) => isPending(order) && !isAcceptable(order));
      const accept = () => {
        onClose();
        onAccept(orders);
      };
      return <AcceptQuestion orders={orders} leftOut={leftOut} onClose={onClose} onConfirm={accept} />;
    }
    case 'cancel':
      return <CancelUnpaid orders={lines.filter(isPayable)} onRefused={onRefused} onClose={onClose} />;
    case 'parcel':
      return <AddBox orders={lines.filter(isToSend)} {...answers} />;
    case 'again':
      return <OrderAgain orders={lines} onClose={onClose} />;
  }
}
