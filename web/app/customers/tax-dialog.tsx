import { MAX_EXEMPT_REASON } from '@parts-forge/contract/bounds';
import type { CustomerTax, User } from '@parts-forge/contract/users';
import { useId, useState } from 'react';
import { describeError } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { useChangeTax } from '#app/users/queries.ts';

const choices: Record<CustomerTax, string> = {
  standard: 'As the shop charges it',
  exempt: 'Exempt',
  reverse: 'Reverse charge',
};

/** Counts for invoices issued later. */
export function TaxDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const id = useId();
  const [tax, setTax] = useState<CustomerTax>(user.untaxed?.tax ?? 'standard');
  const [reason, setReason] = useState(user.untaxed?.reason ?? '');
  const [isMissing, setIsMissing] = useState(false);
  const change = useChangeTax(user.email);
  const needsReason = tax !== 'standard';
  const save = () => {
    if (change.isPending) return;
    setIsMissing(needsReason && reason.trim() === '');
    if (needsReason && reason.trim() === '') return;
    change.mutate(needsReason ? { tax, reason } : { tax }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title={
        <>
          Tax of <bdi>{user.name}</bdi>
        </>
      }
      onClose={() => change.isPending || onClose()}
      actions={
        <>
          <Button kind="line" onClick={onClose}>
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
        <div className="pf-field">
          <label htmlFor={id}>On invoices from now on</label>
          <select
            id={id}
            className="select"
            data-focus-first
            value={tax}
            onChange={(event) => setTax(event.target.value as CustomerTax)}
          >
            {Object.entries(choices).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </div>
        {needsReason && (
          <Field
            label="Reason, shown to the customer"
            value={reason}
            maxLength={MAX_EXEMPT_REASON}
            error={isMissing ? 'Say why no tax is charged' : undefined}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </div>
    </Dialog>
  );
}
