import * as z from 'zod/mini';
import {
  MAX_ALIAS,
  MAX_ATTRIBUTE_NAME,
  MAX_ATTRIBUTE_VALUE,
  MAX_ATTRIBUTES,
  MAX_AVAILABLE_UNTIL,
  MAX_DELIVERY_DAYS,
  MAX_DESCRIPTION,
  MAX_FITS,
  MAX_IMAGE_ADDRESS,
  MAX_IMAGES,
  MAX_KNOWN_AS,
  MAX_MINIMUM_ORDER,
  MAX_MODEL,
  MAX_NAME,
  MAX_PART_NUMBER,
  MAX_PRICE_BREAKS,
  MAX_PRICE_CENTS,
  MIN_AVAILABLE_UNTIL,
  MIN_MINIMUM_ORDER,
  MIN_PART_NUMBER,
  MIN_PRICE,
} from '../calls/bounds.ts';
import { messages } from '../calls/messages.ts';
import { explainPieces, explainPrice, explainUnread, readPieces, readPrice } from '../files/number-text.ts';
import { explainDecimals, formatPieces, hasWholeCents, toAmount, toCents } from '../money/money.ts';
import { isDay } from '../text/days.ts';
import { text, tooLong } from '../text/text.ts';
import { describeDelivery, foldPartName, KINDS, partNumberPattern } from './part-rules.ts';

/** Fields for adding and editing a part, and checks between them (specification §5). */

export const atLeast = (bound: number) => z.gte(bound, `Must be at least ${bound}`);
const explainMost = (bound: number) => `Must be no more than ${formatPieces(bound)}`;
export const atMost = (bound: number) => z.lte(bound, explainMost(bound));

/** Tells a fraction from an absent value. */
export const wholeNumber = (required: string) =>
  z.int({
    error: ({ input }) =>
      explainUnread(input, readPieces, explainPieces) ??
      (typeof input === 'number' && !Number.isNaN(input) ? 'Must be a whole number' : required),
  });

export const priceField = z
  .number({
    error: ({ input }) => explainUnread(input, readPrice, explainPrice) ?? messages.priceRequired,
  })
  .check(
    atLeast(MIN_PRICE),
    z.refine((price) => toCents(price) <= MAX_PRICE_CENTS, {
      error: () => explainMost(toAmount(MAX_PRICE_CENTS)),
    }),
    z.refine(hasWholeCents, { error: explainDecimals }),
    z.describe('At most 100,000 with two decimals, or 10,000,000 with none, as the currency has them'),
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

const atMostEntries = (max: number) => z.maxLength(max, `Must be no more than ${max}`);

export const IS_NUMBER = 'Is the number of a part';
export const NO_PART_HAS_NUMBER = 'No part on sale has this number';

/** A name for a part beside its number, as typed. */
export const otherNameField = text({ max: MAX_ALIAS }).check(
  z.refine((name) => /[\p{L}\p{N}]/u.test(foldPartName(name)), 'Must have a letter or a digit'),
  // Folding may lengthen it.
  z.refine((name) => [...foldPartName(name)].length <= MAX_ALIAS, tooLong(MAX_ALIAS)),
);

const partNumberRule = `Must be ${MIN_PART_NUMBER} to ${MAX_PART_NUMBER} of A to Z, 0 to 9, single spaces and - _ . + /, the first a letter, digit or hyphen`;

const partNumberField = z
  .string('Must be a text')
  .check(
    z.minLength(MIN_PART_NUMBER, { error: partNumberRule, abort: true }),
    z.maxLength(MAX_PART_NUMBER, { error: partNumberRule, abort: true }),
    z.regex(partNumberPattern, partNumberRule),
    z.describe('`A-Z 0-9 - _ . + /` and single spaces inside; the first a letter, digit or hyphen'),
  );

const yearRule = `Must be a year from ${MIN_AVAILABLE_UNTIL} to ${MAX_AVAILABLE_UNTIL}`;

/** How the catalogue's file writes a value. */
export type CellKind =
  | 'number'
  | 'text'
  | 'lines'
  | 'kind'
  | 'price'
  | 'pieces'
  | 'breaks'
  | 'promise'
  | 'successor'
  | 'day'
  | 'attributes'
  | 'list';

interface ProductField {
  /** Checks the field in a request. */
  rule: z.core.$ZodType;
  /** Describes the field in an answer. */
  answer: z.core.$ZodType;
  label: string;
  /** Its column in the catalogue's file. */
  column: string;
  /** Other names of the column, some in German. */
  aliases?: readonly string[];
  cell: CellKind;
  /** Words for a number. */
  describe?: (value: number) => string;
}

const promise = <Rule extends z.ZodMiniType<number>>(about: string, rule: Rule) => ({
  rule: z.nullable(rule).check(z.describe(about)),
  answer: z.nullable(z.int()).check(z.describe(about)),
  cell: 'promise' as const,
});

/** Every field that administrators edit, in the page's order; calls, files and the form follow from it. */
export const productFields = {
  name: {
    rule: text({ min: 1, max: MAX_NAME, required: messages.nameRequired }),
    answer: z.string(),
    label: 'Name',
    column: 'name',
    aliases: ['part name', 'product name', 'title', 'designation', 'bezeichnung', 'artikelbezeichnung'],
    cell: 'text',
  },
  number: {
    rule: partNumberField,
    answer: z.string().check(z.describe('Unique among parts on sale')),
    label: 'Part number',
    column: 'number',
    cell: 'number',
  },
  alsoKnownAs: {
    rule: z.array(otherNameField, 'Must be a list of names').check(
      atMostEntries(MAX_KNOWN_AS),
      z.overwrite((names) => [...new Set(names.map(foldPartName))]),
      z.describe('Other names or numbers, as of makers; kept in capital letters, none a number of a part'),
    ),
    answer: z.array(z.string()).check(z.describe('Other names or numbers, in capital letters')),
    label: 'Also known as',
    column: 'also known as',
    aliases: ['other names', 'other numbers', 'oem number', 'oem numbers', 'vergleichsnummern'],
    cell: 'list',
  },
  kind: {
    rule: z.enum(KINDS, `Must be one of ${KINDS.join(', ')}`),
    answer: z.enum(KINDS),
    label: 'Kind',
    column: 'kind',
    aliases: ['category', 'kategorie'],
    cell: 'kind',
  },
  description: {
    rule: text({ min: 1, max: MAX_DESCRIPTION, required: messages.descriptionRequired, lines: true }),
    answer: z.string(),
    label: 'Description',
    column: 'description',
    aliases: ['beschreibung'],
    cell: 'lines',
  },
  price: {
    rule: priceField,
    answer: z.number().check(z.describe("Of one piece, in the shop's currency")),
    label: 'Price',
    column: 'price',
    cell: 'price',
  },
  minimumOrder: {
    rule: minimumOrderField,
    answer: z.int(),
    label: 'Minimum Order',
    column: 'minimum order',
    aliases: ['moq', 'mindestbestellmenge', 'mindestmenge'],
    cell: 'pieces',
  },
  orderStep: {
    rule: wholeNumber('Order step is Required').check(
      atLeast(1),
      atMost(MAX_MINIMUM_ORDER),
      z.describe('Divides `minimumOrder`'),
    ),
    answer: z.int().check(z.describe('Pieces are ordered in multiples of it')),
    label: 'Order step',
    column: 'order step',
    aliases: ['step', 'bestellschritt'],
    cell: 'pieces',
  },
  priceBreaks: {
    rule: z
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
    answer: z
      .array(z.object({ quantity: z.int(), price: z.number() }))
      .check(z.describe('The last break reached sets the price of the whole order')),
    label: 'Price breaks',
    column: 'price breaks',
    aliases: ['staffelpreise'],
    cell: 'breaks',
  },
  deliveryDays: {
    ...promise(
      'Working days from an order to its delivery',
      wholeNumber('Must be a whole number').check(atLeast(1), atMost(MAX_DELIVERY_DAYS)),
    ),
    label: 'Delivery',
    column: 'delivery days',
    aliases: ['lead time', 'lead time (days)', 'lieferzeit', 'lieferzeit (tage)', 'delivery (working days)'],
    describe: describeDelivery,
  },
  availableUntil: {
    ...promise(
      'Last year in which it can be ordered',
      wholeNumber(yearRule).check(z.gte(MIN_AVAILABLE_UNTIL, yearRule), z.lte(MAX_AVAILABLE_UNTIL, yearRule)),
    ),
    label: 'Available until',
    column: 'available until',
  },
  replacedBy: {
    rule: z
      .nullable(partNumberField)
      .check(
        z.describe(
          'Number of another part on sale, offered first where this one is short; follows its renumbering',
        ),
      ),
    answer: z.nullable(z.string()).check(z.describe('Number of the part to offer first in its place')),
    label: 'Replaced by',
    column: 'replaced by',
    aliases: ['successor', 'superseded by', 'ersetzt durch', 'nachfolger'],
    cell: 'successor',
  },
  expectedAt: {
    rule: z
      .nullable(
        z.string('Must be a day').check(z.refine(isDay, { error: 'Must be a day such as 2026-12-31' })),
      )
      .check(z.describe('Day on which more pieces are expected')),
    answer: z
      .nullable(z.string())
      .check(z.describe('Day on which more pieces are expected; pages show no day of the past')),
    label: 'Expected',
    column: 'expected',
    aliases: ['expected at', 'back in stock', 'wieder lieferbar', 'erwartet'],
    cell: 'day',
  },
  attributes: {
    rule: z
      .array(
        z.object({
          name: text({ min: 1, max: MAX_ATTRIBUTE_NAME }),
          value: text({ min: 1, max: MAX_ATTRIBUTE_VALUE }),
        }),
        'Must be a list of names and values',
      )
      .check(atMostEntries(MAX_ATTRIBUTES)),
    answer: z.array(z.object({ name: z.string(), value: z.string() })),
    label: 'Specification',
    column: 'attributes',
    aliases: ['eigenschaften', 'merkmale'],
    cell: 'attributes',
  },
  fits: {
    rule: z.array(text({ min: 1, max: MAX_MODEL }), 'Must be a list of phone models').check(
      atMostEntries(MAX_FITS),
      // A duplicate would count twice.
      z.overwrite((models) => [...new Set(models)]),
    ),
    answer: z.array(z.string()).check(z.describe('Phone models')),
    label: 'Fits',
    column: 'fits',
    aliases: ['models', 'passt zu', 'modelle'],
    cell: 'list',
  },
  images: {
    rule: z
      .array(imageField, 'Must be a list of pictures')
      .check(
        z.minLength(1, messages.imageRequired),
        atMostEntries(MAX_IMAGES),
        z.describe('The first is `image`'),
      ),
    answer: z.array(z.string()).check(z.describe('The first is `image`')),
    label: 'Pictures',
    column: 'pictures',
    aliases: ['images', 'bilder'],
    cell: 'list',
  },
} as const satisfies Record<string, ProductField>;

export type EditedField = keyof typeof productFields;
export const EDITED_FIELDS = Object.keys(productFields) as EditedField[];
/** With the parts of the table that not every field has. */
export const fieldFacts: Readonly<Record<EditedField, ProductField>> = productFields;

export const NUMBER_FIELDS = EDITED_FIELDS.filter((field) =>
  ['price', 'pieces', 'promise'].includes(productFields[field].cell),
);

const take = <Key extends 'rule' | 'answer'>(key: Key) =>
  Object.fromEntries(EDITED_FIELDS.map((field) => [field, productFields[field][key]])) as {
    [Field in EditedField]: (typeof productFields)[Field][Key];
  };
export const answerFields = take('answer');
const { name, description, price, minimumOrder, ...others } = take('rule');
export const requiredFields = { name, description, price, minimumOrder, image: imageField };
/** Fields with a default. */
export const optionalFields = others;

/** Absent fields mean the default. */
interface PartFields {
  number?: string | undefined;
  alsoKnownAs?: readonly string[] | undefined;
  price: number;
  minimumOrder: number;
  image: string;
  images?: readonly string[] | undefined;
  orderStep?: number | undefined;
  replacedBy?: string | null | undefined;
  priceBreaks?: readonly { quantity: number; price: number }[] | undefined;
}

type Refusal = readonly [path: (string | number)[], message: string];

/** Conflicts between valid fields. */
export function findPartProblems(part: PartFields): Refusal[] {
  const { number, replacedBy, minimumOrder, image, images = [image], orderStep = 1 } = part;
  const refusals: Refusal[] = [];
  const own = part.alsoKnownAs?.indexOf(number ?? '') ?? -1;
  if (own !== -1) refusals.push([['alsoKnownAs', own], IS_NUMBER]);
  if (images[0] !== image) refusals.push([['images', 0], 'Must be the image']);
  if (replacedBy && replacedBy === number) refusals.push([['replacedBy'], 'Must be another part']);
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
