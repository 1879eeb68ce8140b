import type { PageConfig } from '@parts-forge/contract/people/identity';
import type { NewProduct } from '@parts-forge/contract/products/products';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { type ChosenPicture, checkPicture } from '#app/products/check-picture.ts';

export type NewProductForm = UseFormReturn<NewProduct, unknown, NewProduct>;

/** Until the upload, the form's `image` is the file's name, so that the field counts as filled. */
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
    requestAnimationFrame(() => fileInput.current?.focus());
  };
  return { picture, choose, remove, fileInput };
}

/** Frees the pixels when another picture replaces it or on unmount. */
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
