import { isPrintable } from '@parts-forge/contract/printed-letters';
import { useWatch } from 'react-hook-form';
import { Banner } from '#app/ui/banner.tsx';
import type { DeliveryForm } from './delivery-form.ts';

/** Warns about letters that invoices cannot print, because an invoice never changes. */
export function PrintNote({ texts, className }: { texts: readonly string[]; className?: string }) {
  if (texts.every(isPrintable)) return null;
  return (
    <Banner kind="info" {...(className && { className })}>
      Invoices print Latin, Greek and Cyrillic letters. Other letters of your name or address appear as “?”.
    </Banner>
  );
}

/** The same note, updated while the address is typed. */
export function TypedPrintNote({ name, form }: { name: string; form: DeliveryForm }) {
  return <PrintNote texts={[name, useWatch({ control: form.control, name: 'address' })]} />;
}
