import { isPrintable } from '@parts-forge/contract/text/printed-letters';
import { Banner } from '#app/ui/banner.tsx';

/** Warns about letters that invoices cannot print, because an invoice never changes. */
export function PrintNote({ texts, className }: { texts: readonly string[]; className?: string }) {
  if (texts.every(isPrintable)) return null;
  return (
    <Banner kind="info" {...(className && { className })}>
      Invoices print Latin, Greek and Cyrillic letters. Other letters of your name or address appear as “?”.
    </Banner>
  );
}
