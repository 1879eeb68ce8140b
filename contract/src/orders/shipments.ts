import * as z from 'zod/mini';
import { MAX_CARRIER, MAX_PARCEL_NUMBER } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { idParam, instant, momentField, text } from '../text/text.ts';

export const shipmentSchema = z.object({
  _id: z.string(),
  carrier: z.string(),
  number: z.string().check(z.describe("The carrier's, to follow the parcel")),
  sentAt: instant,
  quantity: z.optional(z.int().check(z.describe('Pieces in it, if said or fewer than ordered'))),
});
export type Shipment = z.infer<typeof shipmentSchema>;

/** Codes of refusals; the one that applies first is asked about, once. */
const DESPITE = ['disputed', 'payment-refunded', 'more-than-left'] as const;

/** What a repetition of a refused parcel names; undefined where nothing helps. */
export const findDespite = (code: unknown) => DESPITE.find((each) => each === code);

/** What spreadsheets and slips make of a parcel's number. Spaces and invisible letters do not count. */
const spoiltNumbers: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?\d+(?:[.,]\d+E[+-]?|E[+-])\d+$/i, 'A spreadsheet rounded it, and digits are lost'],
  [/^(?:#(?!\d)|Err:\d)/i, 'A spreadsheet has an error here, or too narrow a column'],
  [/^(?:\d{1,60}[.,]\d{1,60}|\d{1,3}([.,])\d{3}(?:\1\d{3}){1,20})$/, 'A spreadsheet wrote marks into it'],
  [/^(?:[0-3]?\d[-./][0-3]?\d[-./](?:20)?\d\d|20\d\d[-./][01]?\d[-./][0-3]?\d(?:T.*)?)$/, 'This is a day'],
  [
    /^(?:[0-3]?\d[-.]?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[-.]?(?:\d\d?,?)?(?:20\d\d)?$/i,
    'This is a day',
  ],
  [/^[='’"]/, 'A spreadsheet wrote its mark of a text before it'],
  [/[^\p{L}\p{N}./_#&()-]|^www\./u, 'It has marks that no carrier writes'],
  [/^(?!.*[1-9])/, 'No carrier writes it so'],
];

/** Null for one that a carrier may have written. */
export function explainParcelNumber(text: string): string | null {
  const plain = text.normalize('NFKC').replace(/[\s\p{Cf}]/gu, '');
  const [, reason] = spoiltNumbers.find(([pattern]) => pattern.test(plain)) ?? [];
  return plain === '' || reason === undefined ? null : `${reason}. Write the number as on the label`;
}

export const newShipmentSchema = z.object({
  carrier: text({ min: 1, max: MAX_CARRIER, required: 'carrier is Required' }),
  number: text({ min: 1, max: MAX_PARCEL_NUMBER, required: 'number is Required' }).check(
    z.refine((number) => explainParcelNumber(number) === null, {
      error: ({ input }) => explainParcelNumber(String(input)) ?? '',
    }),
  ),
  sentAt: z.optional(momentField),
  quantity: z.optional(z.int('Must be a whole number').check(z.gte(1, 'Must be at least 1'))),
  despite: z.optional(z.enum(DESPITE, `Must be one of ${DESPITE.join(', ')}`)),
});
export type NewShipment = z.output<typeof newShipmentSchema>;

export const addShipment = defineCall({
  method: 'POST',
  path: '/order/:id/shipment',
  tag: 'Orders',
  policy: policies.addShipment,
  summary: 'Add a parcel of an accepted order',
  description:
    'An order may have several parcels. The customer gets one mail for each parcel. The same carrier and number again gives the first parcel. `sentAt` is not in the future, and by default now; a parcel without `quantity` has all that is left. What is to be sent is what was ordered, less what was refunded before sending or is back in stock, less what is in parcels. More than that, and a parcel of a disputed or refunded order, is refused unless `despite` has the code of the refusal.',
  params: z.object({ id: idParam }),
  body: newShipmentSchema,
  answer: z.object({ data: shipmentSchema }),
  problems: ['not-found', 'not-accepted', 'disputed', 'payment-refunded', 'more-than-left'],
});

export const removeShipment = defineCall({
  method: 'DELETE',
  path: '/order/:id/shipment/:shipment',
  tag: 'Orders',
  policy: policies.removeShipment,
  summary: 'Remove a parcel that was added by mistake',
  description:
    'A mail about the parcel that still waits is dropped. If it was sent, the customer gets a mail that the parcel is void. The next parcel of the order is mailed as its correction.',
  params: z.object({ id: idParam, shipment: idParam }),
  answer: z.object({ deletedCount: z.int() }),
  problems: ['not-found'],
});
