import {
  CARD_DESCRIPTION,
  MAX_ALIAS,
  MAX_FITS,
  MAX_KNOWN_AS,
  MAX_MODEL,
  MIN_MINIMUM_ORDER,
} from '@parts-forge/contract/calls/bounds';
import { readPieces, readTyped } from '@parts-forge/contract/files/number-text';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { PageConfig } from '@parts-forge/contract/people/identity';
import { foldPartName, KINDS, type Kind } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useWatch } from 'react-hook-form';
import { describeError } from '#app/errors/describe-error.ts';
import { deferBlur } from '#app/forms/defer-blur.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { PriceField } from '../price-field.tsx';
import { modelsQueryOptions } from '../queries.ts';
import { AttributeFields } from './attribute-fields.tsx';
import { ChangesBar } from './changes-bar.tsx';
import { ConflictNotice } from './conflict-notice.tsx';
import { ListField } from './list-field.tsx';
import { PicturesField } from './pictures-field.tsx';
import { PriceBreakFields } from './price-break-fields.tsx';
import { PriceQuestion } from './price-question.tsx';
import { type EditForm, useEditPart } from './use-edit-part.ts';
import { usePriceInput } from './use-price-input.ts';

/** All fields of a part except its stock, which only the ledger changes. */
export function EditPartForm({ product, rules }: { product: Product; rules: PageConfig['images'] }) {
  const edit = useEditPart(product);
  const { form, changes, conflict, failure } = edit;
  const images = useWatch({ control: form.control, name: 'images' });
  return (
    <>
      {edit.question && <PriceQuestion {...edit.question} />}
      {conflict && <ConflictNotice key={conflict.theirs.version} form={form} conflict={conflict} />}
      <form className="pf-panel" noValidate onSubmit={edit.save}>
        {failure !== null && (
          <FormError error={failure} className="p-6 pb-0 md:px-8">
            {describeError(failure)} The changes were not saved. What you typed is still here; try again.
          </FormError>
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] xl:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="[&>section+section]:border-t [&>section]:border-base-300">
            <TextSection form={form} />
            <TermsSection form={form} stock={product.quantity} />
            <Section title="Specification" about="Shown as rows on the part’s page, in this order.">
              <AttributeFields form={form} />
            </Section>
            <FitsSection form={form} />
          </div>
          <div className="border-base-300 bg-base-200/50 p-6 max-xl:border-t md:p-8 xl:border-l">
            <PicturesField
              rules={rules}
              images={images}
              error={form.formState.errors.images?.message}
              onChange={(next) => form.setValue('images', next, { shouldDirty: true, shouldValidate: true })}
            />
          </div>
        </div>
        <ChangesBar changes={changes} busy={edit.isBusy} error={failure} onDiscard={edit.discard} />
      </form>
    </>
  );
}

interface SectionProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}

function Section({ title, about, children }: SectionProps) {
  const id = useId();
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-5 p-6 md:p-8" aria-labelledby={id}>
      <div>
        <h2 id={id} className="display text-h4">
          {title}
        </h2>
        {about && <p className="mt-0.5 text-sm text-muted">{about}</p>}
      </div>
      {children}
    </section>
  );
}

function TextSection({ form }: { form: EditForm }) {
  const { errors } = form.formState;
  return (
    <Section title="Part">
      <Field label="Name" required error={errors.name?.message} {...deferBlur(form.register('name'))} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 sm:grid-cols-2">
        <Field
          label="Part number"
          required
          hint="No other part on sale has it"
          error={errors.number?.message}
          {...deferBlur(form.register('number', { setValueAs: (text: string) => text.trim().toUpperCase() }))}
        />
        <KindField form={form} />
      </div>
      <OtherNamesField form={form} />
      <TextArea
        label="Description"
        rows={4}
        required
        className="field-sizing-content"
        hint={`Cards show the first ${CARD_DESCRIPTION} characters.`}
        error={errors.description?.message}
        {...deferBlur(form.register('description'))}
      />
    </Section>
  );
}

function OtherNamesField({ form }: { form: EditForm }) {
  const names = useWatch({ control: form.control, name: 'alsoKnownAs' });
  const { alsoKnownAs } = form.formState.errors;
  const change = (next: string[]) =>
    form.setValue('alsoKnownAs', [...new Set(next.map(foldPartName))], {
      shouldDirty: true,
      shouldValidate: true,
    });
  return (
    <ListField
      label="Also known as"
      hint="Other numbers of this part, as of its maker. The search and lists of customers find it by them."
      placeholder="Add a number or name"
      entries={names}
      maxEntries={MAX_KNOWN_AS}
      maxLength={MAX_ALIAS}
      error={alsoKnownAs?.message ?? alsoKnownAs?.find?.((each) => each)?.message}
      onChange={change}
    />
  );
}

function KindField({ form }: { form: EditForm }) {
  const kind = useWatch({ control: form.control, name: 'kind' });
  return (
    <SelectField
      label="Kind"
      options={KINDS.map((each) => [each, each])}
      value={kind}
      onChange={(event) => form.setValue('kind', event.target.value as Kind, { shouldDirty: true })}
    />
  );
}

function TermsSection({ form, stock }: { form: EditForm; stock: number }) {
  const { errors } = form.formState;
  const register = (name: 'minimumOrder' | 'orderStep') => ({
    required: true,
    error: errors[name]?.message,
    ...deferBlur(form.register(name, { setValueAs: readTyped(readPieces) })),
  });
  return (
    <Section
      title="Price and order"
      about={
        <>
          <span className="num">{formatPieces(stock)} in stock.</span> Stock is changed by Restock or a
          correction in the stock ledger, not here.
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 sm:grid-cols-3">
        <PriceField error={errors.price?.message} {...usePriceInput(form, 'price')} />
        <Field
          label="Minimum Order"
          inputMode="numeric"
          min={MIN_MINIMUM_ORDER}
          hint={`At least ${MIN_MINIMUM_ORDER}`}
          {...register('minimumOrder')}
        />
        <Field
          label="Order step"
          inputMode="numeric"
          min={1}
          hint="Minimum is a multiple of it"
          {...register('orderStep')}
        />
      </div>
      <PromiseFields form={form} />
      <PriceBreakFields form={form} />
    </Section>
  );
}

function PromiseFields({ form }: { form: EditForm }) {
  const { errors } = form.formState;
  const read = readTyped(readPieces);
  const register = (
    name: 'deliveryDays' | 'availableUntil' | 'replacedBy' | 'expectedAt',
    readValue: (typed: string) => unknown,
  ) => ({
    error: errors[name]?.message,
    ...deferBlur(
      form.register(name, {
        setValueAs: (typed) => (typed === '' || typed === null ? null : readValue(typed)),
      }),
    ),
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 sm:grid-cols-3">
      <Field
        label="Delivery"
        inputMode="numeric"
        hint="Working days from the order; empty for no promise"
        {...register('deliveryDays', read)}
      />
      <Field
        label="Available until"
        inputMode="numeric"
        hint="The last year; empty for no promise"
        {...register('availableUntil', read)}
      />
      <Field
        label="Expected"
        type="date"
        hint="More pieces arrive; shown while the stock is short"
        {...register('expectedAt', (day) => day)}
      />
      <Field
        label="Replaced by"
        autoComplete="off"
        hint="A part number, offered first where this part is short or ended"
        {...register('replacedBy', (number) => number.trim().toUpperCase() || null)}
      />
    </div>
  );
}

function FitsSection({ form }: { form: EditForm }) {
  const models = useWatch({ control: form.control, name: 'fits' });
  const { fits } = form.formState.errors;
  const { data: known } = useQuery(modelsQueryOptions());
  return (
    <Section title="Fits" about="Phone models that the filter in the shop offers.">
      {/* One spelling for each model; otherwise the shop's filter would list it twice. */}
      <ListField
        label="Add a phone model"
        isLabelHidden
        placeholder="Add a model"
        entries={models}
        maxEntries={MAX_FITS}
        maxLength={MAX_MODEL}
        known={known}
        error={fits?.message ?? fits?.find?.((each) => each)?.message}
        onChange={(next) => form.setValue('fits', next, { shouldDirty: true, shouldValidate: true })}
      />
    </Section>
  );
}
