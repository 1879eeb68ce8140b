import { MAX_ADDRESS } from '@parts-forge/contract/calls/bounds';
import { canCorrectAddress, type Order } from '@parts-forge/contract/orders/orders';
import { useState } from 'react';
import { FormDialog } from '#app/forms/form-dialog.tsx';
import { useCorrectAddress } from '#app/orders/queries.ts';
import { Button } from '#app/ui/button.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';

/** Until the payment is accepted. */
export function ChangeAddress({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const correction = useCorrectAddress(order._id);
  const close = () => setOpen(false);
  if (!canCorrectAddress(order) && !isOpen) return null;
  return (
    <>
      <Button kind="line" size="row" onClick={() => setOpen(true)}>
        Change address
      </Button>
      {isOpen && (
        <FormDialog
          title="Change address"
          confirm="Save address"
          state={correction}
          onClose={close}
          onSend={({ address = '', phone = '' }) =>
            correction.mutate(
              // Older orders may have a phone that the shop would refuse now.
              { address, ...(phone !== order.phone && { phone }) },
              { onSuccess: close },
            )
          }
        >
          {(field) => (
            <>
              <TextArea
                label="Deliver to"
                rows={4}
                maxLength={MAX_ADDRESS}
                data-focus-first
                defaultValue={order.address}
                {...field('address')}
              />
              <Field label="phone" type="tel" defaultValue={order.phone} {...field('phone')} />
            </>
          )}
        </FormDialog>
      )}
    </>
  );
}
