import { zodResolver } from '@hookform/resolvers/zod';
import { addressField, phoneField } from '@parts-forge/contract/orders/orders';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { askAboutPhone, readDigits } from './use-phone-digits.ts';

const typedPhone = z.pipe(
  z.string().check(({ value, issues }) => {
    const message = askAboutPhone(value);
    if (message !== null) issues.push({ code: 'custom', input: value, message });
  }),
  z.pipe(
    z.transform((value: string): string | number => readDigits(value)?.digits ?? value),
    phoneField,
  ),
);

const deliverySchema = z.object({ address: addressField, phone: typedPhone });
export type Delivery = z.output<typeof deliverySchema>;
export type DeliveryForm = ReturnType<typeof useDeliveryForm>;

export const emptyDelivery: Delivery = { address: '', phone: '' };

/** The typed fields, without the quantity. */
export const useDeliveryForm = () =>
  useForm<Delivery, unknown, Delivery>({
    resolver: zodResolver(deliverySchema),
    mode: 'onTouched',
    defaultValues: emptyDelivery,
  });
