import * as z from 'zod/mini';
import { defineCall } from '../calls/call.ts';
import { policies } from '../calls/policies.ts';
import { idParam } from '../text/text.ts';
import { EDITED_FIELDS, type EditedField, optionalFields, requiredFields } from './product-fields.ts';
import { type Product, productSchema } from './products.ts';

/** Never the stock. Null is refused, but where it means none. */
export const productChangesSchema = z.partial(z.object({ ...requiredFields, ...optionalFields }));
export type ProductChanges = z.output<typeof productChangesSchema>;

export type EditedPart = Pick<Product, EditedField | 'image'>;

/**
 * The first of `images` becomes `image`; `image` alone replaces the first picture. `findPartProblems` reports
 * contradictions.
 */
export function mergeChanges(part: EditedPart, changes: ProductChanges): EditedPart {
  const [, ...further] = part.images;
  const image = changes.image ?? changes.images?.[0] ?? part.image;
  const given = Object.fromEntries(
    EDITED_FIELDS.map((field) => [field, changes[field] === undefined ? part[field] : changes[field]]),
  );
  const images = changes.images ?? [image, ...further.filter((address) => address !== image)];
  return { ...(given as unknown as EditedPart), image, images };
}

/** In the page's order. */
export const findChangedFields = (one: EditedPart, other: EditedPart): EditedField[] =>
  EDITED_FIELDS.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));

/** Writes a version as `If-Match` wants it. */
export const formatVersion = (version: number): string => `"${version}"`;

export const changeProduct = defineCall({
  method: 'PATCH',
  path: '/product/:id',
  tag: 'Products',
  policy: policies.changeProduct,
  summary: 'Edit a product',
  description:
    'Edits any field but the stock. `If-Match` names the edited version; another one is refused with the `current` part. Absent fields stay; null means none of `availableUntil`, `deliveryDays`, `replacedBy` and `expectedAt`, and is refused elsewhere. The merged part must satisfy the rules between fields. `image` alone replaces the first picture. The version rises by one unless nothing changes. Open orders keep their price, name and picture.',
  params: z.object({ id: idParam }),
  headers: {
    'If-Match': {
      description: 'The version of the product in quotes, such as `"3"`; never the `ETag` of a read.',
      pattern: /^[\x20-\x7e]{1,200}$/,
      message: 'Must be the version in quotes, such as "3"',
      required: true,
    },
  },
  body: productChangesSchema,
  answer: z.object({ data: productSchema }),
  problems: ['not-found', 'version-changed', 'number-taken'],
});
