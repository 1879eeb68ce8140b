import { zodResolver } from '@hookform/resolvers/zod';
import { messages } from '@parts-forge/contract/calls/messages';
import type { PageConfig } from '@parts-forge/contract/people/identity';
import { type NewProduct, newProductSchema } from '@parts-forge/contract/products/products';
import { useState } from 'react';
import { type DefaultValues, type FieldErrors, useForm } from 'react-hook-form';
import { describeError } from '#app/errors/describe-error.ts';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import { createFormDraft, useDraft } from '#app/forms/use-draft.ts';
import { useSingleFlight } from '#app/forms/use-single-flight.ts';
import { ShopProblem, SignedOutError } from '#app/http/errors.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { useAddProduct } from '#app/products/mutations.ts';
import { uploadPicture } from '#app/products/upload-picture.ts';
import { toast } from '#app/ui/toast.tsx';
import { type NewProductForm, usePicture } from './use-picture.ts';

const emptyProduct: DefaultValues<NewProduct> = { name: '', description: '', image: '' };
const fieldOrder = ['name', 'description', 'price', 'quantity', 'minimumOrder', 'image'] as const;

/** Failures that no field's message shows. */
interface Failure {
  error: unknown;
  /** Whether the request was sent: without a response the shop may have added it. */
  wasAsked: boolean;
}

export interface AddedProduct {
  _id: string;
  name: string;
}

/**
 * The new product form (specification §5 and §8): checks the fields, then sends the picture, then the
 * product.
 */
export function useNewProduct(rules: PageConfig['images'], onAdded: (added: AddedProduct) => void) {
  const form = useForm<NewProduct, unknown, NewProduct>({
    resolver: zodResolver(newProductSchema),
    mode: 'onTouched',
    defaultValues: emptyProduct,
  });
  useProductDraft(form);
  const picture = usePicture(form, rules);
  /** From 0 to 1; null while nothing is being sent. */
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const once = useSingleFlight();
  const add = useAddProduct();

  const showFailure = (error: unknown, wasAsked: boolean) => {
    // The router is leaving for /login, which shows the reason.
    if (error instanceof SignedOutError) return;
    toast('error', messages.productFailed);
    if (isAboutPicture(error)) {
      form.setError('image', { type: 'server', message: describeError(error) });
      picture.fileInput.current?.focus();
    } else if (!showFieldErrors(form, error, fieldOrder)) setFailure({ error, wasAsked });
  };
  const send = async (product: NewProduct, file: File) => {
    let wasAsked = false;
    setFailure(null);
    setProgress(0);
    try {
      const image = await uploadPicture(file, setProgress);
      wasAsked = true;
      const { insertedId } = await add.mutateAsync({ ...product, image });
      toast('success', messages.productUploaded);
      form.reset(emptyProduct);
      onAdded({ _id: insertedId, name: product.name });
    } catch (error) {
      showFailure(error, wasAsked);
    } finally {
      setProgress(null);
    }
  };
  const submit = form.handleSubmit(
    async (product) => {
      const { picture: chosen } = picture;
      if (chosen) await once(() => send(product, chosen.file));
    },
    (invalid) => isOnlyPictureInvalid(invalid) && picture.fileInput.current?.focus(),
  );
  return { form, picture, submit, progress, failure };
}

function useProductDraft(form: NewProductForm): void {
  const draft = createFormDraft<NewProduct>(form, emptyProduct as Partial<NewProduct>);
  // The draft cannot hold the file.
  useDraft('product', useSignedInUser().email, { ...draft, read: () => ({ ...draft.read(), image: '' }) });
}

/** Shown under the picture. */
const isAboutPicture = (error: unknown) =>
  error instanceof ShopProblem && (error.code === 'too-large' || error.code === 'wrong-kind');

/** The form does not know the file input, so it cannot focus it. */
const isOnlyPictureInvalid = (errors: FieldErrors<NewProduct>) =>
  Object.keys(errors).every((field) => field === 'image');
