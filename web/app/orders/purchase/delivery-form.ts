import { zodResolver } from '@hookform/resolvers/zod';
import { addressField, phoneField } from '@parts-forge/contract/orders';
import { type Resolver, useForm } from 'react-hook-form';
import * as z from 'zod/mini';

const deliverySchema = z.object({ address: addressField, phone: phoneField });
export type Delivery = z.output<typeof deliverySchema>;
export type DeliveryForm = ReturnType<typeof useDeliveryForm>;

export const emptyDelivery: Delivery = { address: '', phone: '' };

/** The typed fields of the purchase form, without the quantity. */
export const useDeliveryForm = () =>
  useForm<Delivery, unknown, Delivery>({ resolver, mode: 'onTouched', defaultValues: emptyDelivery });

const checkDelivery = zodResolver(deliverySchema);

/** Tells invalid input from an empty field: a number input has no value in both cases. */
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
