import { zodResolver } from '@hookform/resolvers/zod';
import { CARD_DESCRIPTION, MIN_MINIMUM_ORDER, MIN_NEW_STOCK, MIN_PRICE } from '@parts-forge/contract/bounds';
import type { PageConfig } from '@parts-forge/contract/identity';
import { messages } from '@parts-forge/contract/messages';
import { formatPieces, toAmount } from '@parts-forge/contract/money';
import { type NewProduct, newProductSchema } from '@parts-forge/contract/products';
import { useEffect, useRef, useState } from 'react';
import { type DefaultValues, useForm } from 'react-hook-form';
import { describeError } from '#app/errors/describe-error.ts';
import { OfflineError, ShopProblem, SignedOutError } from '#app/errors/errors.ts';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { showFieldErrors } from '#app/forms/show-field-errors.ts';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { createFormDraft, useDraft } from '#app/forms/use-draft.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { Field, TextArea } from '#app/ui/field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { checkPicture } from './check-picture.ts';
import { useAddProduct } from './mutations.ts';
import { PictureField } from './picture-field.tsx';
import { uploadPicture } from './upload-picture.ts';
import { useChosenPicture } from './use-chosen-picture.ts';

const empty: DefaultValues<NewProduct> = { name: '', description: '', image: '' };
const fieldOrder = ['name', 'description', 'price', 'quantity', 'minimumOrder', 'image'] as const;

interface Failure {
  error: unknown;
  /** Whether the shop was asked to add it: without an answer it may have done so. */
  asked: boolean;
}

interface AddProductFormProps {
  rules: PageConfig['images'];
  /** Whether to begin with the focus on the first field, as after another product. */
  focusFirst: boolean;
  onAdded: () => void;
}

/**
 * Adds a product (specification §5 and §8): the fields are checked with the shop's own rules, then the picture
 * is sent, then the product. The form's `image` is the name of the chosen file until its address is known.
 */
export function AddProductForm({ rules, focusFirst, onAdded }: AddProductFormProps) {
  const form = useForm<NewProduct, unknown, NewProduct>({
    resolver: zodResolver(newProductSchema),
    mode: 'onTouched',
    defaultValues: empty,
  });
  const fields = createFormDraft(form);
  useDraft('product', useSignedInUser().email, {
    ...fields,
    // The file itself cannot be kept: it is chosen once more.
    read: () => ({ ...fields.read(), image: '' }),
  });
  const { errors } = form.formState;
  const { setFocus } = form;
  useEffect(() => {
    if (focusFirst) setFocus('name');
  }, [focusFirst, setFocus]);
  const { picture, setPicture } = useChosenPicture();
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const locked = useRef(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const add = useAddProduct();

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
  const send = async (product: NewProduct) => {
    if (locked.current || !picture) return;
    locked.current = true;
    setBusy(true);
    setFailure(null);
    let asked = false;
    try {
      setProgress(0);
      const image = await uploadPicture(picture.file, setProgress);
      asked = true;
      await add.mutateAsync({ ...product, image });
      toast('success', messages.productUploaded);
      onAdded();
    } catch (error) {
      // The page is being left for /login, which says why.
      if (error instanceof SignedOutError) return;
      toast('error', messages.productFailed);
      if (isAboutPicture(error)) {
        form.setError('image', { type: 'server', message: describeError(error) });
        fileInput.current?.focus();
      } else if (!showFieldErrors(form, error, fieldOrder)) setFailure({ error, asked });
    } finally {
      locked.current = false;
      setBusy(false);
      setProgress(null);
    }
  };
  const submit = form.handleSubmit(send, (wrong) => {
    // The file input is not registered, so its turn in the order of focus is taken here.
    if (Object.keys(wrong).every((field) => field === 'image')) fileInput.current?.focus();
  });
  const number = { valueAsNumber: true };
  return (
    <form
      className="pf-panel grid grid-cols-[minmax(0,1fr)] overflow-clip lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[1fr_auto]"
      noValidate
      onSubmit={submit}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5 p-6 md:p-8">
        {failure !== null && (
          <FormError error={failure.error}>
            {failure.asked && failure.error instanceof OfflineError
              ? 'No answer came: the product may have been added. Look in Manage Products before you try again.'
              : `${describeError(failure.error)} The product was not added. What you typed is still here; try again.`}
          </FormError>
        )}
        <Field label="Name" required error={errors.name?.message} {...deferBlur(form.register('name'))} />
        <TextArea
          label="Description"
          rows={4}
          required
          hint={`Cards show the first ${CARD_DESCRIPTION} characters.`}
          error={errors.description?.message}
          {...deferBlur(form.register('description'))}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 sm:grid-cols-3 lg:max-xl:grid-cols-[minmax(0,1fr)]">
          <Field
            label="Price"
            type="number"
            inputMode="decimal"
            min={MIN_PRICE}
            step={toAmount(1)}
            required
            lead={
              <span className="text-muted" aria-hidden="true">
                $
              </span>
            }
            hint={`At least ${MIN_PRICE}`}
            error={errors.price?.message}
            {...deferBlur(form.register('price', number))}
          />
          <Field
            label="Quantity"
            type="number"
            inputMode="numeric"
            min={MIN_NEW_STOCK}
            step={1}
            required
            hint={`At least ${formatPieces(MIN_NEW_STOCK)}`}
            error={errors.quantity?.message}
            {...deferBlur(form.register('quantity', number))}
          />
          <Field
            label="Minimum Order"
            type="number"
            inputMode="numeric"
            min={MIN_MINIMUM_ORDER}
            step={1}
            required
            hint={`At least ${MIN_MINIMUM_ORDER}`}
            error={errors.minimumOrder?.message}
            {...deferBlur(form.register('minimumOrder', number))}
          />
        </div>
      </div>
      <div className="border-base-300 bg-base-200/50 p-6 max-lg:border-y md:p-8 lg:row-span-2 lg:border-l">
        <PictureField
          rules={rules}
          picture={picture}
          error={errors.image?.message}
          progress={progress}
          onChoose={choose}
          onRemove={remove}
          input={fileInput}
        />
      </div>
      <div className="p-6 md:px-8 lg:border-t lg:border-base-300">
        <SubmitButton
          error={failure?.error}
          className="max-sm:w-full"
          busy={busy}
          busyLabel={progress !== null ? 'Uploading…' : 'Adding…'}
        >
          Add Product
        </SubmitButton>
      </div>
    </form>
  );
}

/** Refusals of the image host itself, told under the picture (docs/design.md, "Refusals"). */
const isAboutPicture = (error: unknown) =>
  error instanceof ShopProblem && (error.code === 'too-large' || error.code === 'wrong-kind');
