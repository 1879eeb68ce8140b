import * as z from 'zod/mini';
import { MAX_ALIASES, MAX_BATCH_FILE_BYTES } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { pagingFields, searchField } from '../calls/paging.ts';
import { policies } from '../calls/policies.ts';
import { formatPieces } from '../money/money.ts';
import { partIdField } from '../prices/agreed-prices.ts';
import { lineProblemSchema, TABLE_FILE } from '../products/catalogue.ts';
import { otherNameField } from '../products/product-fields.ts';
import { productSchema } from '../products/products.ts';
import { instant } from '../text/text.ts';

/** A customer's own names of parts: lists may have them in place of part numbers. */

const { _id, name, number, image } = productSchema.shape;

export const aliasSchema = z.object({
  alias: z.string().check(z.describe('As typed')),
  product: z.object({
    _id,
    name,
    number,
    image,
    gone: z.optional(z.literal(true).check(z.describe('No longer sold'))),
  }),
  lastUsedAt: z.nullable(instant).check(z.describe('When a line had it, or it was set')),
});
export type Alias = z.infer<typeof aliasSchema>;

export const listAliases = defineCall({
  method: 'GET',
  path: '/batch/alias',
  tag: 'Orders',
  policy: policies.listAliases,
  summary: 'List own names of parts',
  description: 'By name. `q` is a part of a name, or of the number or name of its part.',
  query: z.object({ ...pagingFields, q: searchField }),
  answer: z.object({ data: z.array(aliasSchema) }),
  paged: 'data',
});

export const writeAlias = defineCall({
  method: 'PUT',
  path: '/batch/alias',
  tag: 'Orders',
  policy: policies.writeAlias,
  summary: 'Set an own name of a part',
  description: `Lists of the caller then find the part by this name, after part numbers and before the names that administrators give. Names are compared regardless of case, width, and kinds of hyphens and spaces. A name has one part, the last one set; a part may have several names. A customer has at most ${formatPieces(MAX_ALIASES)}. With \`was\` the name replaces that one, unless it is a name already.`,
  body: z.object({
    alias: otherNameField,
    productId: partIdField,
    was: z.optional(otherNameField),
  }),
  answer: z.object({ data: aliasSchema }),
  problems: ['not-found', 'too-many-names'],
});

export const removeAlias = defineCall({
  method: 'DELETE',
  path: '/batch/alias',
  tag: 'Orders',
  policy: policies.removeAlias,
  summary: 'Remove an own name of a part',
  query: z.object({ alias: otherNameField }),
  answer: z.object({ deletedCount: z.int() }),
});

export const addAliasFile = defineCall({
  method: 'POST',
  path: '/batch/alias/file',
  tag: 'Orders',
  policy: policies.addAliasFile,
  summary: 'Set own names of parts by a file',
  description: `The body is a CSV file or an XLSX workbook with the columns \`name\` and \`part number\`, as \`POST /downloads { what: "own-names" }\` writes it, of at most ${formatPieces(MAX_ALIASES)} lines and ${MAX_BATCH_FILE_BYTES / 1024 ** 2} MiB. Lines with a problem are left out and named. Names that the file does not have stay.`,
  file: { types: TABLE_FILE.types, maxBytes: MAX_BATCH_FILE_BYTES },
  answer: z.object({
    saved: z.int().check(z.describe('Names of the file that are set now')),
    problems: z.array(lineProblemSchema),
    notes: z.array(z.string()).check(z.describe('Sentences about unused content')),
  }),
  timeoutMs: 60_000,
  rateLimit: { requests: 20, seconds: 60 },
  problems: ['too-large', 'wrong-kind', 'invalid', 'too-many-names'],
});
