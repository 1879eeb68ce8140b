import { MAX_EXEMPT_REASON } from '@parts-forge/contract/calls/bounds';
import type { CustomerTax, User } from '@parts-forge/contract/people/users';
import { useState } from 'react';
import { FormDialog } from '#app/forms/form-dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { useChangeTax } from '#app/users/queries.ts';

const choices = [
  ['standard', 'As the shop charges it'],
  ['exempt', 'Exempt'],
  ['reverse', 'Reverse charge'],
] as const;

/** Counts for orders placed later. */
export function TaxDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const before = user.untaxed ?? user.taxToCheck;
  const [tax, setTax] = useState<CustomerTax>(before?.tax ?? 'standard');
  const change = useChangeTax(user.email);
  const send = ({ reason = '' }) =>
    change.mutate(tax === 'standard' ? { tax } : { tax, reason }, { onSuccess: onClose });
  const title = (
    <>
      Tax of <bdi>{user.name}</bdi>
    </>
  );
  return (
    <FormDialog title={title} confirm="Save" state={change} onClose={onClose} onSend={send}>
      {(field) => (
        <>
          <SelectField
            label="For orders from now on"
            data-focus-first
            options={choices}
            value={tax}
            error={field('taxNumber').error ?? field('country').error}
            onChange={(event) => setTax(event.target.value as CustomerTax)}
          />
          {tax !== 'standard' && (
            <Field
              label="Reason, shown to the customer"
              defaultValue={before?.reason}
              maxLength={MAX_EXEMPT_REASON}
              {...field('reason')}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
