import * as z from 'zod/mini';
import { MAX_CHOSEN_ORDERS } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { activityQuerySchema } from '../events/trail.ts';
import { type Order, orderQuerySchema } from '../orders/orders.ts';
import { monthField } from '../orders/overview.ts';
import { idField } from '../text/text.ts';

/** Behind a single-use link, as a link cannot carry a bearer token. */
export const DOWNLOADS = [
  'invoice',
  'credit-note',
  'invoices',
  'orders',
  'activity',
  'stock',
  'month',
  'catalogue',
  'import',
  'own-names',
] as const;

/** A file has every row. */
const wholeList = { limit: true, after: true } as const;
const eachOrder = { limit: true, after: true, rows: true } as const;

const idOf = (of: string) => idField(`Must be the id of ${of}`, `Must be the id of ${of}`);

const chosenOrders = `Must be 1 to ${MAX_CHOSEN_ORDERS} ids of orders, each once`;
export const chosenOrdersField = z.array(idOf('an order'), chosenOrders).check(
  z.minLength(1, chosenOrders),
  z.maxLength(MAX_CHOSEN_ORDERS, chosenOrders),
  z.refine((ids) => new Set(ids).size === ids.length, chosenOrders),
);

export const downloadRequestSchema = z.discriminatedUnion(
  'what',
  [
    z.object({
      what: z.literal('invoice'),
      order: idOf('an order'),
      as: z.optional(z.enum(['pdf', 'xml'], 'Must be pdf or xml')),
    }),
    z.object({ what: z.literal('credit-note'), order: idOf('an order') }),
    z
      .object({
        what: z.literal('invoices'),
        orders: z.optional(chosenOrdersField),
        month: z.optional(monthField),
        as: z.enum(['pdf', 'zip'], 'Must be pdf or zip'),
      })
      .check(
        z.refine(({ orders, month }) => (orders === undefined) !== (month === undefined), {
          path: ['orders'],
          error: 'Give orders or month, not both',
        }),
      ),
    z.object({ what: z.literal('orders'), filters: z.optional(z.omit(orderQuerySchema, eachOrder)) }),
    z.object({ what: z.literal('activity'), filters: z.optional(z.omit(activityQuerySchema, wholeList)) }),
    z.object({
      what: z.literal('stock'),
      filters: z.optional(z.object({ product: z.optional(idOf('a product')) })),
    }),
    z.object({ what: z.literal('month'), month: monthField }),
    z.object({ what: z.literal('catalogue'), as: z.enum(['csv', 'xlsx'], 'Must be csv or xlsx') }),
    z.object({
      what: z.literal('import'),
      import: idOf('an import'),
      part: z.enum(['problems', 'undo'], 'Must be problems or undo'),
    }),
    z.object({ what: z.literal('own-names') }),
  ],
  `Must be one of ${DOWNLOADS.join(', ')}`,
);
/** As a client sends it. */
export type DownloadRequest = z.input<typeof downloadRequestSchema>;
export type CheckedDownloadRequest = z.output<typeof downloadRequestSchema>;

export const createDownload = defineCall({
  method: 'POST',
  path: '/downloads',
  tag: 'Shop',
  policy: policies.createDownload,
  summary: 'Make a link to a file',
  description:
    "`url` is a path of the shop that gives the file once, within `expiresIn` seconds, to any client, while its maker keeps the account and role. `invoice` and `credit-note`: an order's PDF, with the debit notes that take credit notes back; `as: 'xml'` is the e-invoice alone, refused (`no-invoice`) where the paper lacks a fact of one. `invoices`: all papers of `orders`, or of `month` without a limit, a customer's own; `zip` has a PDF for each, named by its number, and the XML of each e-invoice, `pdf` one with all sheets: invoices, credit notes, debit notes, each by number. Orders without an invoice are refused and named. `orders`: rows of `GET /order`, a customer's own. `own-names`: a customer's names of parts, for `POST /batch/alias/file`. For administrators `activity`: rows of `GET /activity`; `stock`: all parts on sale, or the ledger of `product`; `month`: a line for each movement of `GET /overview/month`, a customer's own; `catalogue`: all parts with every field that can be edited, for `POST /product/import` (`xlsx` has text cells, which keep `00123`); `import`: the problems of such a file, or the file that undoes it. A person takes two files at once (429), all together eight (503); a link stays valid when it is refused, or after a preview, a range or a broken connection. A file must be taken within `DOWNLOAD_TIMEOUT_MS`.",
  body: downloadRequestSchema,
  answer: z.object({ url: z.string(), expiresIn: z.int() }),
  rateLimit: { requests: 60, seconds: 60 },
  problems: [
    'not-for-keys',
    'admin-needed',
    'customers-only',
    'not-yours',
    'not-found',
    'no-invoice',
    'no-credit-note',
  ],
});

/** Not a call: browsers open it. */
export const DOWNLOAD_PATH = '/downloads/:token';

export const buildDownloadAddress = (token: string): string => DOWNLOAD_PATH.replace(':token', token);

/** The shop issues it when the order is paid. */
export const hasInvoice = ({ status }: Pick<Order, 'status'>): boolean => status !== 'due';

/** Issued once the customer received money; a debit note takes it back. */
export const hasCreditNote = ({
  status,
  returned,
  refund,
}: Pick<Order, 'status' | 'returned' | 'refund'>): boolean =>
  hasInvoice({ status }) && (returned !== undefined || refund?.settled !== undefined);
