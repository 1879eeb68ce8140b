import { MAX_REFERENCE } from '@parts-forge/contract/calls/bounds';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { Fact } from '#app/ui/fact.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';
import type { DeliveryForm } from './delivery-form.ts';
import { PhoneField } from './phone-field.tsx';
import { PrintNote } from './print-note.tsx';

interface DeliveryFieldsProps {
  entries: { form: DeliveryForm; reference: string; setReference: (text: string) => void };
  /** The customer's, for the invoice. */
  name: string;
  /** Given where the customer must see whose order it is. */
  email?: string;
  disabled?: boolean;
}

/** Address and phone of the last order are text with "Change"; others are typed. */
export function DeliveryFields({ entries, name, email, disabled = false }: DeliveryFieldsProps) {
  const { form } = entries;
  const [isChanging, setChanging] = useState(false);
  const [address, phone] = useWatch({ control: form.control, name: ['address', 'phone'] });
  const { errors, isDirty } = form.formState;
  const isKnown =
    !(isChanging || isDirty || errors.address || errors.phone) && address !== '' && phone !== '';
  const { setFocus } = form;
  useEffect(() => {
    if (isChanging) setFocus('address');
  }, [isChanging, setFocus]);
  return (
    <>
      <dl className="grid gap-1 text-[0.9375rem] leading-6 empty:hidden *:grid *:grid-cols-[4.5rem_minmax(0,1fr)] [&_dd]:[overflow-wrap:anywhere] [&_dt]:text-sm [&_dt]:leading-6 [&_dt]:text-muted">
        {isKnown && (
          <>
            <Fact name="Address" className="whitespace-pre-line">
              {address}
            </Fact>
            <Fact name="phone">{phone}</Fact>
          </>
        )}
        {email !== undefined && (
          <>
            <Fact name="Name">{name}</Fact>
            <Fact name="Email">{email}</Fact>
          </>
        )}
      </dl>
      {isKnown ? (
        <button
          type="button"
          className="pf-link -my-2 min-h-8 cursor-pointer justify-self-start text-sm font-medium"
          onClick={() => setChanging(true)}
        >
          Change
        </button>
      ) : (
        <TypedDelivery form={form} disabled={disabled} />
      )}
      <PrintNote texts={[name, address]} />
      <ReferenceField entries={entries} disabled={disabled} />
    </>
  );
}

interface ReferenceFieldProps {
  entries: Pick<DeliveryFieldsProps['entries'], 'reference' | 'setReference'>;
  disabled: boolean;
}

const ReferenceField = ({ entries: { reference, setReference }, disabled }: ReferenceFieldProps) => (
  <Field
    label="Your reference (optional)"
    id="reference"
    name="reference"
    maxLength={MAX_REFERENCE}
    autoComplete="off"
    hint="Stands on the order and the invoice."
    disabled={disabled}
    value={reference}
    onChange={(event) => setReference(event.target.value)}
  />
);

function TypedDelivery({ form, disabled }: { form: DeliveryForm; disabled: boolean }) {
  const { errors } = form.formState;
  return (
    <>
      <TextArea
        label="Address"
        id="address"
        rows={3}
        className="max-h-60 field-sizing-content"
        required
        disabled={disabled}
        autoComplete="street-address"
        error={errors.address?.message}
        {...deferBlur(form.register('address'))}
      />
      <PhoneField
        disabled={disabled}
        error={errors.phone?.message}
        registration={deferBlur(form.register('phone'))}
      />
    </>
  );
}
