import { zodResolver } from '@hookform/resolvers/zod';
import type { PageConfig } from '@parts-forge/contract/identity';
import { messages } from '@parts-forge/contract/messages';
import { type NewProduct, newProductSchema } from '@parts-forge/contract/products';
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

/** Why a product was not added, as far as that is not about one of its fields. */
interface Failure {
  error: unknown;
  /** Whether the shop was asked to add it: without an answer it may have done so. */
  wasAsked: boolean;
}

/** A product that was just added. */
export interface AddedProduct {
  _id: string;
  name: string;
}

/**
 * Everything that the form of a new product knows and does (specification §5 and §8): the fields are checked with
 * the shop's own rules, then the picture is sent, then the product.
 */
export function useNewProduct(rules: PageConfig['images'], onAdded: (added: AddedProduct) => void) {
  const form = useForm<NewProduct, unknown, NewProduct>({
    resolver: zodResolver(newProductSchema),
    mode: 'onTouched',
    defaultValues: emptyProduct,
  });
  useProductDraft(form);
  const picture = usePicture(form, rules);
  /** The share of the picture that is sent, from 0 to 1; null while nothing is being sent. */
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const once = useSingleFlight();
  const add = useAddProduct();

  const showFailure = (error: unknown, wasAsked: boolean) => {
    // The page is being left for /login, which says why.
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
  // The file itself cannot be stored: it is chosen once more.
  useDraft('product', useSignedInUser().email, { ...draft, read: () => ({ ...draft.read(), image: '' }) });
}

/** Refusals of the image host itself, which are told under the picture. */
const isAboutPicture = (error: unknown) =>
  error instanceof ShopProblem && (error.code === 'too-large' || error.code === 'wrong-kind');

/** The form puts the focus on the first invalid field, but it does not know the file input. */
const isOnlyPictureInvalid = (errors: FieldErrors<NewProduct>) =>
  Object.keys(errors).every((field) => field === 'image');
