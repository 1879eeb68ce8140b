import { zodResolver } from '@hookform/resolvers/zod';
import { addressField, phoneField } from '@parts-forge/contract/orders';
import { type Resolver, useForm } from 'react-hook-form';
import * as z from 'zod/mini';

const deliverySchema = z.object({ address: addressField, phone: phoneField });
/** Where an order is sent to, and the number to call about it. */
export type Delivery = z.output<typeof deliverySchema>;
export type DeliveryForm = ReturnType<typeof useDeliveryForm>;

export const emptyDelivery: Delivery = { address: '', phone: '' };

/** The part of the purchase form that is typed, apart from the quantity. */
export const useDeliveryForm = () =>
  useForm<Delivery, unknown, Delivery>({ resolver, mode: 'onTouched', defaultValues: emptyDelivery });

const checkDelivery = zodResolver(deliverySchema);

/** A number field that holds what is no number is not the same as an empty one, although both have no value. */
const resolver: Resolver<Delivery, unknown, Delivery> = (values, context, options) => {
  const phone = options.fields.phone?.ref;
  const isNoNumber = phone instanceof HTMLInputElement && phone.validity.badInput;
  return checkDelivery(
    { ...values, phone: isNoNumber ? '?' : values.phone },
    context,
    // The schema takes a phone as a number too; the form has texts only, which is the narrower type.
    options as Parameters<typeof checkDelivery>[2],
  );
};
