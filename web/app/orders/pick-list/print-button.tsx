import { Printer } from 'lucide';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';

/** Paper leaves out menus, bars and buttons. */
export function PrintButton() {
  return (
    <Button kind="primary" size="bar" className="print:hidden" onClick={() => window.print()}>
      <Icon of={Printer} className="size-4" />
      Print
    </Button>
  );
}
