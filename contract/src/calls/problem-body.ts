import * as z from 'zod/mini';
import { PROBLEM_CODES } from './problems.ts';

// Apart from the codes, so that pages load no Zod with them.

/** `path` as in the body (`price`, `errors[0].path`). */
const fieldErrorSchema = z.object({ path: z.string(), message: z.string() });
export type FieldError = z.output<typeof fieldErrorSchema>;

const quantity = z.optional(z.int().check(z.describe('Pieces on hand now')));
const price = z.optional(z.number().check(z.describe("Price of one piece in the shop's currency now")));

const lineProblemSchema = z.object({
  index: z.int(),
  code: z.enum(PROBLEM_CODES),
  detail: z.string(),

  quantity,
  price,
});
export type LineProblem = z.output<typeof lineProblemSchema>;

export const problemBodySchema = z
  .object({
    type: z.string().check(z.describe('`urn:parts-forge:problem:` and the code')),
    title: z.string(),
    status: z.int(),
    detail: z.string().check(z.describe('For people; the texts of the specification where it has one.')),
    errors: z.optional(
      z
        .array(fieldErrorSchema)
        .check(z.minLength(1), z.describe('The fields that are wrong, where fields of the request are.')),
    ),
    lines: z.optional(
      z
        .array(lineProblemSchema)
        .check(
          z.minLength(1),
          z.describe('Every line that is in the way of a batch: its place from 0, and why.'),
        ),
    ),

    quantity,
    price,
    current: z.optional(
      z
        .record(z.string(), z.unknown())
        .check(z.describe('The thing as it is now, as its own call answers it')),
    ),
    total: z.optional(z.number().check(z.describe("Total of the order in the shop's currency"))),
    scope: z.optional(
      z.string().check(z.describe('That the key needs; a space between those of which one is enough')),
    ),
    requestId: z.optional(
      z.string().check(z.describe('Names the request in the log, with what failed on our side')),
    ),
  })
  .check(z.describe('A refusal (RFC 9457).'));
export type ProblemBody = z.output<typeof problemBodySchema>;
