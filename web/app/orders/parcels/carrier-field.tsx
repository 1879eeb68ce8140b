import { MAX_CARRIER } from '@parts-forge/contract/calls/bounds';
import { CARRIERS } from '@parts-forge/contract/orders/carriers';
import { type ComponentProps, useId } from 'react';
import { Field } from '#app/ui/field.tsx';

/** Suggests known carriers; any other name is allowed. */
export function CarrierField(props: Omit<ComponentProps<typeof Field>, 'label'>) {
  const id = useId();
  return (
    <>
      <Field label="Carrier" list={id} maxLength={MAX_CARRIER} {...props} />
      <datalist id={id}>
        {CARRIERS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
