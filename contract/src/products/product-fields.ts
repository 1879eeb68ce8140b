import * as z from 'zod/mini';
import {
  MAX_ATTRIBUTE_NAME,
  MAX_ATTRIBUTE_VALUE,
  MAX_ATTRIBUTES,
  MAX_AVAILABLE_UNTIL,
  MAX_DELIVERY_DAYS,
  MAX_DESCRIPTION,
  MAX_FITS,
  MAX_IMAGE_ADDRESS,
  MAX_IMAGES,
  MAX_MINIMUM_ORDER,
  MAX_MODEL,
  MAX_NAME,
  MAX_PART_NUMBER,
  MAX_PRICE,
  MAX_PRICE_BREAKS,
  MIN_AVAILABLE_UNTIL,
  MIN_MINIMUM_ORDER,
  MIN_PART_NUMBER,
  MIN_PRICE,
} from '../calls/bounds.ts';
import { messages } from '../calls/messages.ts';
import { explainPieces, explainPrice, explainUnread, readPieces, readPrice } from '../files/number-text.ts';
import { formatPieces, hasWholeCents } from '../money/money.ts';
import { text, tooLong } from '../text/text.ts';
import { KINDS, partNumberPattern } from './part-rules.ts';

/** Fields for adding and editing a part, and checks between them (specification §5). */

export const atLeast = (bound: number) => z.gte(bound, `Must be at least ${bound}`);
export const atMost = (bound: number) => z.lte(bound, `Must be no more than ${formatPieces(bound)}`);

/** Tells a fraction from an absent value. */
export const wholeNumber = (required: string) =>
  z.int({
    error: ({ input }) =>
      explainUnread(input, readPieces, explainPieces) ??
      (typeof input === 'number' && !Number.isNaN(input) ? 'Must be a whole number' : required),
  });

const priceField = z
  .number({
    error: ({ input }) => explainUnread(input, readPrice, explainPrice) ?? messages.priceRequired,
  })
  .check(
    atLeast(MIN_PRICE),
    atMost(MAX_PRICE),
    z.refine(hasWholeCents, 'Must have no more than two decimals'),
    z.describe('At most two decimals'),
  );

const minimumOrderField = wholeNumber(messages.minimumOrderRequired).check(
  atLeast(MIN_MINIMUM_ORDER),
  atMost(MAX_MINIMUM_ORDER),
);

const imageField = z
  .string(messages.imageRequired)
  .check(
    z.minLength(1, messages.imageRequired),
    z.maxLength(MAX_IMAGE_ADDRESS, tooLong(MAX_IMAGE_ADDRESS)),
    z.describe('Path or URL'),
  );

export const requiredFields = {
  name: text({ min: 1, max: MAX_NAME, required: messages.nameRequired }),
  description: text({ min: 1, max: MAX_DESCRIPTION, required: messages.descriptionRequired, lines: true }),
  price: priceField,
  minimumOrder: minimumOrderField,
  image: imageField,
};

const atMostEntries = (max: number) => z.maxLength(max, `Must be no more than ${max}`);

const partNumberRule = `Must be ${MIN_PART_NUMBER} to ${MAX_PART_NUMBER} of A to Z, 0 to 9, single spaces and - _ . + /, the first a letter, digit or hyphen`;

const yearRule = `Must be a year from ${MIN_AVAILABLE_UNTIL} to ${MAX_AVAILABLE_UNTIL}`;

/** Fields with a default. */
export const optionalFields = {
  number: z
    .string('Must be a text')
    .check(
      z.minLength(MIN_PART_NUMBER, { error: partNumberRule, abort: true }),
      z.maxLength(MAX_PART_NUMBER, { error: partNumberRule, abort: true }),
      z.regex(partNumberPattern, partNumberRule),
      z.describe('`A-Z 0-9 - _ . + /` and single spaces inside; the first a letter, digit or hyphen'),
    ),
  kind: z.enum(KINDS, `Must be one of ${KINDS.join(', ')}`),
  fits: z.array(text({ min: 1, max: MAX_MODEL }), 'Must be a list of phone models').check(
    atMostEntries(MAX_FITS),
    // A duplicate would count twice.
    z.overwrite((models) => [...new Set(models)]),
  ),
  attributes: z
    .array(
      z.object({
        name: text({ min: 1, max: MAX_ATTRIBUTE_NAME }),
        value: text({ min: 1, max: MAX_ATTRIBUTE_VALUE }),
      }),
      'Must be a list of names and values',
    )
    .check(atMostEntries(MAX_ATTRIBUTES)),
  images: z
    .array(imageField, 'Must be a list of pictures')
    .check(
      z.minLength(1, messages.imageRequired),
      atMostEntries(MAX_IMAGES),
      z.describe('The first is `image`'),
    ),
  orderStep: wholeNumber('Order step is Required').check(
    atLeast(1),
    atMost(MAX_MINIMUM_ORDER),
    z.describe('Divides `minimumOrder`'),
  ),
  priceBreaks: z
    .array(
      z.object({ quantity: wholeNumber('Quantity is Required').check(atLeast(1)), price: priceField }),
      'Must be a list of quantities and prices',
    )
    .check(
      atMostEntries(MAX_PRICE_BREAKS),
      z.describe(
        'Quantities are multiples of `orderStep` and rise above `minimumOrder`; prices fall below `price`',
      ),
    ),
  /** Null for none, as the next. */
  availableUntil: z
    .nullable(
      wholeNumber(yearRule).check(z.gte(MIN_AVAILABLE_UNTIL, yearRule), z.lte(MAX_AVAILABLE_UNTIL, yearRule)),
    )
    .check(z.describe('Last year in which it can be ordered')),
  deliveryDays: z
    .nullable(wholeNumber('Must be a whole number').check(atLeast(1), atMost(MAX_DELIVERY_DAYS)))
    .check(z.describe('Working days from an order to its delivery')),
};

/** Absent fields mean the default. */
interface PartFields {
  price: number;
  minimumOrder: number;
  image: string;
  images?: readonly string[] | undefined;
  orderStep?: number | undefined;
  priceBreaks?: readonly { quantity: number; price: number }[] | undefined;
}

type Refusal = readonly [path: (string | number)[], message: string];

/** Conflicts between valid fields. */
export function findPartProblems(part: PartFields): Refusal[] {
  const { minimumOrder, image, images = [image], orderStep = 1 } = part;
  const refusals: Refusal[] = [];
  if (images[0] !== image) refusals.push([['images', 0], 'Must be the image']);
  if (orderStep > minimumOrder) refusals.push([['orderStep'], 'Must not be above the minimum order']);
  else if (minimumOrder % orderStep > 0)
    refusals.push([['minimumOrder'], `Must be a multiple of the order step ${orderStep}`]);
  return [...refusals, ...findBreakProblems(part)];
}

/** Each above the minimum order and a multiple of the step. */
function findBreakProblems({ price, minimumOrder, orderStep = 1, priceBreaks = [] }: PartFields): Refusal[] {
  return priceBreaks.flatMap((priceBreak, index): Refusal[] => {
    const before = priceBreaks[index - 1] ?? { quantity: minimumOrder, price };
    const refusals: Refusal[] = [];
    const refuse = (field: 'quantity' | 'price', message: string) =>
      refusals.push([['priceBreaks', index, field], message]);
    if (priceBreak.quantity <= before.quantity) refuse('quantity', `Must be above ${before.quantity}`);
    else if (priceBreak.quantity % orderStep > 0)
      refuse('quantity', `Must be a multiple of the order step ${orderStep}`);
    if (priceBreak.price >= before.price) refuse('price', `Must be below ${before.price}`);
    return refusals;
  });
}

/** For schemas of a whole part. */
export const partChecks = z.check<PartFields>(({ value, issues }) => {
  for (const [path, message] of findPartProblems(value)) {
    issues.push({ code: 'custom', input: value, path: [...path], message });
  }
});
