import { zodResolver } from '@hookform/resolvers/zod';
import { formatVersion } from '@parts-forge/contract/products/product-changes';
import type { EditedField } from '@parts-forge/contract/products/product-fields';
import type { Product } from '@parts-forge/contract/products/products';
import { useState } from 'react';
import { type FieldPath, type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import { createFormDraft, useDraft } from '#app/forms/use-draft.ts';
import { ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { toast } from '#app/ui/toast.tsx';
import { useChangeProduct } from '../mutations.ts';
import {
  compareEdits,
  type EditConflict,
  type EditValues,
  editSchema,
  listChanges,
  toPart,
  toValues,
} from './edit-values.ts';
import { describePriceMoves } from './price-question.tsx';

export type EditForm = UseFormReturn<EditValues, unknown, EditValues>;

export interface Conflict extends EditConflict {
  /** The part before both edits. */
  base: Product;
  theirs: Product;
  mine: EditValues;
}

/**
 * Edits a part under the version it loaded. After a conflict, the other's value stays where both edits
 * differ, until the user chooses.
 */
export function useEditPart(product: Product) {
  const form = useEditForm(product);
  const { base, conflict, begin, showConflict } = useBase(product, form);
  const [failure, setFailure] = useState<unknown>(null);
  /** Values whose prices move by more than half. */
  const [asked, setAsked] = useState<EditValues | null>(null);
  const changes = listChanges(base, useWatch({ control: form.control }) as EditValues);
  const change = useChangeProduct();

  const showFailure = (error: unknown) => {
    // The router is leaving for /login, which shows the reason.
    if (error instanceof SignedOutError) return;
    const theirs = readCurrent(error);
    if (theirs) return showConflict(theirs);
    if (getProblemCode(error) === 'number-taken' && error instanceof ShopProblem) {
      form.setError('number', { type: 'server', message: error.detail }, { shouldFocus: true });
    } else if (!showFieldErrors(form, error, listErrorPaths(error))) setFailure(error);
  };
  const save = form.handleSubmit(async (values) => {
    if (change.isPending) return;
    if (listChanges(base, values).length === 0) {
      if (conflict) {
        begin(base);
        toast('success', `${base.name}: theirs stays`);
      }
      return;
    }
    if (describePriceMoves(base, values).length > 0) setAsked(values);
    else await send(values);
  });
  const send = async (values: EditValues) => {
    const fields = listChanges(base, values);
    setFailure(null);
    const body = Object.fromEntries(fields.map((field) => [field, values[field]]));
    try {
      begin(await change.mutateAsync({ id: base._id, ifMatch: formatVersion(base.version), body }));
      toast('success', `${values.name}: saved`);
    } catch (error) {
      showFailure(error);
    }
  };
  const question = asked && {
    moves: describePriceMoves(base, asked),
    onClose: () => setAsked(null),
    onConfirm: () => {
      setAsked(null);
      void send(asked);
    },
  };
  const discard = () => {
    setFailure(null);
    begin(base);
  };
  return { form, base, changes, conflict, failure, question, save, discard, isBusy: change.isPending };
}

function useEditForm(product: Product): EditForm {
  const form = useForm<EditValues, unknown, EditValues>({
    resolver: zodResolver(editSchema),
    mode: 'onTouched',
    defaultValues: toValues(product),
  });
  useDraft(`part:${product._id}`, useSignedInUser().email, createFormDraft(form, toValues(product)));
  return form;
}

function useBase(product: Product, form: EditForm) {
  const [base, setBase] = useState(product);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const begin = (part: Product) => {
    setBase(part);
    setConflict(null);
    form.reset(toValues(part));
  };
  const showConflict = (theirs: Product) => {
    const mine = form.getValues();
    const compared = compareEdits(base, toPart(mine), theirs);
    setConflict({ base, theirs, mine: structuredClone(mine), ...compared });
    setBase(theirs);
    for (const field of [...compared.taken, ...compared.asked]) setField(form, field, toValues(theirs));
  };
  return { base, conflict, begin, showConflict };
}

export const setField = (form: EditForm, field: EditedField, values: EditValues): void =>
  form.setValue(field, structuredClone(values[field]), { shouldValidate: true, shouldDirty: true });

const readCurrent = (error: unknown): Product | null =>
  error instanceof ShopProblem && error.code === 'version-changed'
    ? ((error.body.current as Product | undefined) ?? null)
    : null;

const listErrorPaths = (error: unknown): FieldPath<EditValues>[] =>
  error instanceof ShopProblem ? error.errors.map(({ path }) => path as FieldPath<EditValues>) : [];
