import type { PageConfig } from '@parts-forge/contract/identity';
import type { NewProduct } from '@parts-forge/contract/products';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { type ChosenPicture, checkPicture } from '#app/products/check-picture.ts';

export type NewProductForm = UseFormReturn<NewProduct, unknown, NewProduct>;

/**
 * The picture of a new product: chosen, replaced, removed. The form's `image` is the name of the file as long as the
 * picture is not sent, so that the form knows that there is one.
 */
export function usePicture(form: NewProductForm, rules: PageConfig['images']) {
  const [picture, setPicture] = useChosenPicture();
  const fileInput = useRef<HTMLInputElement>(null);
  const choose = async (file: File) => {
    const checked = await checkPicture(file, rules);
    if (typeof checked === 'string') {
      setPicture(null);
      form.setValue('image', '');
      form.setError('image', { type: 'picture', message: checked });
      return;
    }
    setPicture(checked);
    form.setValue('image', file.name, { shouldValidate: true, shouldTouch: true });
  };
  const remove = () => {
    setPicture(null);
    form.setValue('image', '', { shouldValidate: form.formState.isSubmitted });
    // The button is gone; the next thing to do is to choose another one.
    requestAnimationFrame(() => fileInput.current?.focus());
  };
  return { picture, choose, remove, fileInput };
}

/** The chosen picture; frees its pixels when another one is set or the page is left. */
function useChosenPicture() {
  const [picture, setState] = useState<ChosenPicture | null>(null);
  const current = useRef<ChosenPicture | null>(null);
  const setPicture = useCallback((next: ChosenPicture | null) => {
    current.current?.bitmap.close();
    current.current = next;
    setState(next);
  }, []);
  useEffect(() => () => current.current?.bitmap.close(), []);
  return [picture, setPicture] as const;
}
