import { CARD_DESCRIPTION, MIN_MINIMUM_ORDER, MIN_NEW_STOCK } from '@parts-forge/contract/calls/bounds';
import { readPieces, readPrice, readTyped } from '@parts-forge/contract/files/number-text';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { PageConfig } from '@parts-forge/contract/people/identity';
import { useEffect } from 'react';
import { describeError } from '#app/errors/describe-error.ts';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { SubmitButton } from '#app/forms/submit-button.tsx';
import { OfflineError } from '#app/http/errors.ts';
import { PriceField } from '#app/products/price-field.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';
import { PictureField } from './picture-field.tsx';
import { type AddedProduct, useNewProduct } from './use-new-product.ts';
import type { NewProductForm } from './use-picture.ts';

interface AddProductFormProps {
  rules: PageConfig['images'];
  /** Whether the first field takes the focus, as after another product. */
  focusFirst: boolean;
  onAdded: (added: AddedProduct) => void;
}

export function AddProductForm({ rules, focusFirst, onAdded }: AddProductFormProps) {
  const { form, picture, submit, progress, failure } = useNewProduct(rules, onAdded);
  const { setFocus } = form;
  useEffect(() => {
    if (focusFirst) setFocus('name');
  }, [focusFirst, setFocus]);
  return (
    <form
      className="pf-panel grid grid-cols-[minmax(0,1fr)] overflow-clip lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[1fr_auto]"
      noValidate
      onSubmit={submit}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5 p-6 md:p-8">
        {failure !== null && (
          <FormError error={failure.error}>
            {failure.wasAsked && failure.error instanceof OfflineError
              ? 'No answer came: the product may have been added. Look in Manage Products before you try again.'
              : `${describeError(failure.error)} The product was not added. What you typed is still here; try again.`}
          </FormError>
        )}
        <TextFields form={form} />
        <NumberFields form={form} />
      </div>
      <div className="border-base-300 bg-base-200/50 p-6 max-lg:border-y md:p-8 lg:row-span-2 lg:border-l">
        <PictureField
          rules={rules}
          picture={picture.picture}
          error={form.formState.errors.image?.message}
          progress={progress}
          onChoose={picture.choose}
          onRemove={picture.remove}
          input={picture.fileInput}
        />
      </div>
      <div className="p-6 md:px-8 lg:border-t lg:border-base-300">
        <SubmitButton
          error={failure?.error}
          className="max-sm:w-full"
          busy={progress !== null}
          busyLabel="Uploading…"
        >
          Add Product
        </SubmitButton>
      </div>
    </form>
  );
}

function TextFields({ form }: { form: NewProductForm }) {
  const { errors } = form.formState;
  return (
    <>
      <Field label="Name" required error={errors.name?.message} {...deferBlur(form.register('name'))} />
      <TextArea
        label="Description"
        rows={4}
        required
        hint={`Cards show the first ${CARD_DESCRIPTION} characters.`}
        error={errors.description?.message}
        {...deferBlur(form.register('description'))}
      />
    </>
  );
}

function NumberFields({ form }: { form: NewProductForm }) {
  const { errors } = form.formState;
  const register = (name: 'price' | 'quantity' | 'minimumOrder') =>
    deferBlur(form.register(name, { setValueAs: readTyped(name === 'price' ? readPrice : readPieces) }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 sm:grid-cols-3 lg:max-xl:grid-cols-[minmax(0,1fr)]">
      <PriceField error={errors.price?.message} {...register('price')} />
      <Field
        label="Quantity"
        inputMode="numeric"
        min={MIN_NEW_STOCK}
        required
        hint={`At least ${formatPieces(MIN_NEW_STOCK)}`}
        error={errors.quantity?.message}
        {...register('quantity')}
      />
      <Field
        label="Minimum Order"
        inputMode="numeric"
        min={MIN_MINIMUM_ORDER}
        required
        hint={`At least ${MIN_MINIMUM_ORDER}`}
        error={errors.minimumOrder?.message}
        {...register('minimumOrder')}
      />
    </div>
  );
}
