import { MAX_EXEMPT_REASON } from '@parts-forge/contract/bounds';
import type { CustomerTax, User } from '@parts-forge/contract/users';
import { useState } from 'react';
import { describeError } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { useChangeTax } from '#app/users/queries.ts';

const choices = [
  ['standard', 'As the shop charges it'],
  ['exempt', 'Exempt'],
  ['reverse', 'Reverse charge'],
] as const;

/** Counts for invoices issued later. */
export function TaxDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [tax, setTax] = useState<CustomerTax>(user.untaxed?.tax ?? 'standard');
  const [reason, setReason] = useState(user.untaxed?.reason ?? '');
  const [isChecked, setIsChecked] = useState(false);
  const change = useChangeTax(user.email);
  const needsReason = tax !== 'standard';
  const isMissing = needsReason && reason.trim() === '';
  const close = () => change.isPending || onClose();
  const save = () => {
    setIsChecked(true);
    if (isMissing || change.isPending) return;
    change.mutate(needsReason ? { tax, reason } : { tax }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title={
        <>
          Tax of <bdi>{user.name}</bdi>
        </>
      }
      onClose={close}
      actions={
        <>
          <Button kind="line" onClick={close}>
            Keep as it is
          </Button>
          <Button kind="primary" busy={change.isPending} busyLabel="Saving…" onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <div className="grid gap-5 pt-3 text-base-content">
        {change.error && <FormError error={change.error}>{describeError(change.error)}</FormError>}
        <SelectField
          label="On invoices from now on"
          data-focus-first
          options={choices}
          value={tax}
          onChange={(event) => setTax(event.target.value as CustomerTax)}
        />
        {needsReason && (
          <Field
            label="Reason, shown to the customer"
            value={reason}
            maxLength={MAX_EXEMPT_REASON}
            error={isChecked && isMissing ? 'Say why no tax is charged' : undefined}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </div>
    </Dialog>
  );
}
