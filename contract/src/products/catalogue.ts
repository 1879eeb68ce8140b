import * as z from 'zod/mini';
import { MAX_IMPORT_BYTES, MAX_IMPORT_LINES, MAX_NAME } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { formatPieces } from '../money/money.ts';
import { idField, idParam, instant, text } from '../text/text.ts';

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const MAX_LATEST_IMPORTS = 20;

/** Lines of one answer. */
export const IMPORT_PAGE = 100;

/** Why a line of a file is refused or left out. */
export const lineProblemSchema = z.object({
  line: z.int(),
  column: z.string().check(z.describe('Empty for the whole line')),
  message: z.string(),
});

export const importSchema = z.object({
  _id: z.string(),
  name: z.string(),
  kind: z.enum(['parts', 'prices']),
  undoes: z.nullable(z.string()).check(z.describe('The file that this one undoes')),
  state: z.enum(['preview', 'applying', 'applied']),
  createdAt: instant,
  appliedAt: z.nullable(instant).check(z.describe('When it was asked for')),
  columns: z
    .array(z.object({ name: z.string(), column: z.nullable(z.string()) }))
    .check(z.describe("The file's names, and their meaning; null for an unused one")),
  notes: z.array(z.string()),
  counts: z.object({
    new: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    refused: z.int().check(z.describe('Lines')),
    warned: z.int(),
    done: z.int().check(z.describe('Of `new` and `changed`, the lines applied so far')),
    leftOut: z.int().check(z.describe('Of `done`, the lines that could not be applied')),
  }),
  kinds: z
    .array(z.object({ name: z.string(), lines: z.int() }))
    .check(z.describe('The columns that change, `new` and `price-jump`, most lines first')),
  problems: z
    .array(lineProblemSchema)
    .check(z.describe(`Of refused lines and of lines left out; the first ${IMPORT_PAGE}`)),
  lines: z
    .array(
      z.object({
        line: z.int(),
        number: z.string(),
        name: z.string(),
        customer: z.optional(z.string().check(z.describe('An e-mail address; of prices alone, as `from`'))),
        from: z.optional(z.int()),
        isNew: z.boolean(),
        changes: z
          .array(z.object({ column: z.string(), was: z.string(), will: z.string() }))
          .check(z.describe('As cells of a file')),
        warning: z.optional(z.string()),
      }),
    )
    .check(z.describe(`At most ${IMPORT_PAGE} from \`from\` on; those with a warning first`)),
});
/** A file, what it would change, and how far it is applied. */
export type Import = z.infer<typeof importSchema>;

export const TABLE_FILE = {
  // Windows sends CSV as Excel's type, and curl as a stream of bytes; the content decides.
  types: [
    'text/csv',
    WORKBOOK_TYPE,
    'application/vnd.ms-excel',
    'application/octet-stream',
    'application/csv',
    'text/plain',
  ],
  maxBytes: MAX_IMPORT_BYTES,
};

export const importProducts = defineCall({
  method: 'POST',
  path: '/product/import',
  tag: 'Products',
  policy: policies.importProducts,
  summary: 'Preview a file of parts',
  description: `Changes nothing. The body is a CSV file or an XLSX workbook of at most ${formatPieces(MAX_IMPORT_LINES)} lines and ${MAX_IMPORT_BYTES / 1024 ** 2} MiB. \`number\` names the part; the other columns are those of the file of \`POST /downloads { what: "catalogue" }\`, and \`add\`. An empty cell changes nothing, \`(none)\` empties a list. \`stock\` needs \`stock was\`, the stock that it replaces. A number that no part has is a new part and needs all fields without a default. \`remove\` with \`yes\` removes a part that nobody ordered, and leaves any other without stock. A column \`customer\` makes it a file of agreed prices: \`customer\` (an e-mail address), \`number\`, \`from\` (pieces; empty means 1), \`price\`, \`until\` (a day; \`(none)\` for no end), \`remove\`; keys neither send nor read one. Kept for 30 days once applied, else for a day, the latest twenty of a person.`,
  query: z.object({
    name: z.optional(text({ max: MAX_NAME })),
    undoes: z.optional(idField('Must be the id of a file')),
  }),
  file: TABLE_FILE,
  answer: z.object({ data: importSchema }),
  timeoutMs: 60_000,
  rateLimit: { requests: 30, seconds: 60 },
  problems: ['too-large', 'wrong-kind', 'invalid', 'not-found', 'not-for-keys'],
});

export const readImport = defineCall({
  method: 'GET',
  path: '/product/import/:id',
  tag: 'Products',
  policy: policies.readImport,
  summary: 'Read the preview or result of a file',
  params: z.object({ id: idParam }),
  query: z.object({
    from: z.optional(z.string().check(z.regex(/^\d{1,5}$/, 'Must be a whole number'), z.describe('From 0'))),
    only: z.optional(text({ max: MAX_NAME }).check(z.describe('A name of `kinds`: its lines alone'))),
  }),
  answer: z.object({ data: importSchema }),
  problems: ['not-found', 'invalid'],
});

export const listImports = defineCall({
  method: 'GET',
  path: '/product/import',
  tag: 'Products',
  policy: policies.listImports,
  summary: 'The latest files of parts that were applied',
  description: `At most ${MAX_LATEST_IMPORTS}, without lines, problems, columns and notes.`,
  answer: z.object({ data: z.array(importSchema) }),
});

export const applyImport = defineCall({
  method: 'POST',
  path: '/product/import/:id/apply',
  tag: 'Products',
  policy: policies.applyImport,
  summary: 'Apply a previewed file',
  description:
    'Goes on after the answer, and after a restart of the shop; `GET /product/import/{id}` has the progress. A part that was edited since the preview is left out and named, as are pieces to add to a stock that somebody changed since; orders are no such change. Repeatable. A key needs `stock:write`, too, for a file that changes the stock of a part; no key applies one that removes parts, or has prices of customers.',
  params: z.object({ id: idParam }),
  answer: z.object({ data: importSchema }),
  problems: ['not-found', 'not-for-keys'],
});
