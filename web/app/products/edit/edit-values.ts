import { type EditedPart, findChangedFields } from '@parts-forge/contract/products/product-changes';
import {
  EDITED_FIELDS,
  type EditedField,
  findPartProblems,
  optionalFields,
  requiredFields,
} from '@parts-forge/contract/products/product-fields';
import * as z from 'zod/mini';

const { image: _, ...required } = requiredFields;

/** The shop's own rules; the first of `images` is the part's `image`. */
export const editSchema = z.object({ ...required, ...optionalFields }).check(({ value, issues }) => {
  for (const [path, message] of findPartProblems({ ...value, image: value.images[0] ?? '' })) {
    issues.push({ code: 'custom', input: value, path: [...path], message });
  }
});
export type EditValues = z.output<typeof editSchema>;

/** A copy, which the form may change. */
export const toValues = (part: EditedPart): EditValues =>
  structuredClone(Object.fromEntries(EDITED_FIELDS.map((field) => [field, part[field]]))) as EditValues;

export const toPart = (values: EditValues): EditedPart => ({ ...values, image: values.images[0] ?? '' });

/** In the form's order. */
export const listChanges = (part: EditedPart, values: EditValues): EditedField[] =>
  findChangedFields(part, toPart(values));

export type EditConflict = ReturnType<typeof compareEdits>;

/** @param base the part before both edits */
export function compareEdits(base: EditedPart, mine: EditedPart, theirs: EditedPart) {
  const changedByMe = findChangedFields(base, mine);
  const differing = findChangedFields(mine, theirs);
  const changedByThem = findChangedFields(base, theirs).filter((field) => differing.includes(field));
  return {
    /** Fields that only the other edit changed. */
    taken: changedByThem.filter((field) => !changedByMe.includes(field)),
    /** Fields that both changed differently: the user chooses. */
    asked: changedByThem.filter((field) => changedByMe.includes(field)),
  };
}
