import { type EditedField, type EditedPart, findChangedFields } from '@parts-forge/contract/product-changes';
import { findPartProblems, optionalFields, requiredFields } from '@parts-forge/contract/product-fields';
import * as z from 'zod/mini';

const { image: _, ...required } = requiredFields;

/** The fields of the form with the shop's own rules; the first of `images` is the part's `image`. */
export const editSchema = z.object({ ...required, ...optionalFields }).check(({ value, issues }) => {
  for (const [path, message] of findPartProblems({ ...value, image: value.images[0] ?? '' })) {
    issues.push({ code: 'custom', input: value, path: [...path], message });
  }
});
/** What is in the form. */
export type EditValues = z.output<typeof editSchema>;

/** A part as the form shows it. */
export const toValues = (part: EditedPart): EditValues => ({
  name: part.name,
  number: part.number,
  kind: part.kind,
  description: part.description,
  price: part.price,
  minimumOrder: part.minimumOrder,
  orderStep: part.orderStep,
  priceBreaks: part.priceBreaks.map((each) => ({ ...each })),
  attributes: part.attributes.map((each) => ({ ...each })),
  fits: [...part.fits],
  images: [...part.images],
});

/** The part that the form describes. */
export const toPart = (values: EditValues): EditedPart => ({ ...values, image: values.images[0] ?? '' });

/** The fields of the form that are not what the part has, in the form's order. */
export const listChanges = (part: EditedPart, values: EditValues): EditedField[] =>
  findChangedFields(part, toPart(values));

/** What two edits of the same part come to. */
export interface EditConflict {
  /** Fields that only the other has changed: they are taken over. */
  taken: EditedField[];
  /** Fields that both have changed, and differently: one of the two is to be chosen. */
  asked: EditedField[];
}

/** @param base the part as both began with it */
export function compareEdits(base: EditedPart, mine: EditedPart, theirs: EditedPart): EditConflict {
  const changedByMe = findChangedFields(base, mine);
  const differing = findChangedFields(mine, theirs);
  const changedByThem = findChangedFields(base, theirs).filter((field) => differing.includes(field));
  return {
    taken: changedByThem.filter((field) => !changedByMe.includes(field)),
    asked: changedByThem.filter((field) => changedByMe.includes(field)),
  };
}
