import type { ExampleGroup } from './example.ts';
import { account } from './examples/account.tsx';
import { buttons } from './examples/buttons.tsx';
import { cards } from './examples/cards.tsx';
import { dialogs } from './examples/dialogs.tsx';
import { failures } from './examples/failures.tsx';
import { fields } from './examples/fields.tsx';
import { forms } from './examples/forms.tsx';
import { layout } from './examples/layout.tsx';
import { lists } from './examples/lists.tsx';
import { payments } from './examples/payments.tsx';
import { signs } from './examples/signs.tsx';
import { skeletons } from './examples/skeletons.tsx';
import { tables } from './examples/tables.tsx';
import { toasts } from './examples/toasts.tsx';

export const groups: readonly ExampleGroup[] = [
  { title: 'Buttons', examples: buttons },
  { title: 'Fields', examples: fields },
  { title: 'Forms', examples: forms },
  { title: 'Account', examples: account },
  { title: 'Dialogs', examples: dialogs },
  { title: 'Toasts', examples: toasts },
  { title: 'Banners, notices and failures', examples: failures },
  { title: 'Tables', examples: tables },
  { title: 'Lists and pagers', examples: lists },
  { title: 'Skeletons', examples: skeletons },
  { title: 'Chips, stars, gauges and other signs', examples: signs },
  { title: 'Cards', examples: cards },
  { title: 'Payment', examples: payments },
  { title: 'Layout and whole pages', examples: layout },
];
