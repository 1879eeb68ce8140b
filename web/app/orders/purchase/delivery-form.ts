import { zodResolver } from '@hookform/resolvers/zod';
import { addressField, phoneField } from '@parts-forge/contract/orders';
import { type Resolver, useForm } from 'react-hook-form';
import * as z from 'zod/mini';

const deliverySchema = z.object({ address: addressField, phone: phoneField });
export type Delivery = z.output<typeof deliverySchema>;
export type DeliveryForm = ReturnType<typeof useDeliveryForm>;

export const emptyDelivery: Delivery = { address: '', phone: '' };

/** The typed fields, without the quantity. */
export const useDeliveryForm = () =>
  useForm<Delivery, unknown, Delivery>({ resolver, mode: 'onTouched', defaultValues: emptyDelivery });

const checkDelivery = zodResolver(deliverySchema);

/** A number input has no value for invalid text, as when empty; this tells them apart. */
const resolver: Resolver<Delivery, unknown, Delivery> = (values, context, options) => {
  const phone = options.fields.phone?.ref;
  const isNoNumber = phone instanceof HTMLInputElement && phone.validity.badInput;
  return checkDelivery(
    { ...values, phone: isNoNumber ? '?' : values.phone },
    context,
    // The schema also accepts numbers; the form has texts only, the narrower type.
    options as Parameters<typeof checkDelivery>[2],
  );
};
