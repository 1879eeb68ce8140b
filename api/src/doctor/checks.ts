import type { Check } from './check.ts';
import { checkClock } from './check-clock.ts';
import { checkDataFolder } from './check-data-folder.ts';
import { checkDatabase } from './check-database.ts';
import { checkFirebase } from './check-firebase.ts';
import { checkGoogle } from './check-google.ts';
import { checkIdentity } from './check-identity.ts';
import { checkInvoices } from './check-invoices.ts';
import { checkMail } from './check-mail.ts';
import { checkMonth } from './check-month.ts';
import { checkOrigin } from './check-origin.ts';
import { checkPictures } from './check-pictures.ts';
import { checkStripe } from './check-stripe.ts';
import { checkWebhook } from './check-webhook.ts';

/** In the report's order. A new check needs a file and a line here. */
export const checks: readonly Check[] = [
  { title: 'Data folder', run: checkDataFolder },
  { title: 'Database', run: checkDatabase },
  { title: 'Clock', run: checkClock },
  { title: 'Address', run: checkOrigin },
  { title: 'Identity', run: checkIdentity },
  { title: 'Google', run: checkGoogle },
  { title: 'Firebase', run: (visit) => checkFirebase(visit) },
  { title: 'Mail', run: checkMail },
  { title: 'Pictures', run: checkPictures },
  { title: 'Payments', run: checkStripe },
  { title: 'Webhook', run: checkWebhook },
  { title: 'Invoices', run: checkInvoices },
  { title: 'Last month', run: (visit) => checkMonth(visit) },
];
