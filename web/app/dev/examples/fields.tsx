import { useState } from 'react';
import { QuantityField } from '#app/orders/purchase/quantity-field.tsx';
import { useOrderQuantity } from '#app/orders/purchase/use-order-quantity.ts';
import { PictureField } from '#app/products/manage/picture-field.tsx';
import { RatingField } from '#app/reviews/rating-field.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { aConfig } from '../builders.ts';
import type { Example } from '../example.ts';
import { ignore, outOfStock, product, stepped } from '../sample-data.ts';

const { images } = aConfig();

export const fields: readonly Example[] = [
  { name: 'Field', render: () => <Field label="Email" type="email" placeholder="name@company.com" /> },
  { name: 'Field with a hint', render: () => <Field label="LinkedIn" hint="The full address" /> },
  { name: 'Field with an error', render: () => <Field label="Email" error="Valid Email is needed" /> },
  {
    name: 'Field with error and hint',
    render: () => <Field label="Quantity" error="Must be at least 1000" hint="At least 1,000" />,
  },
  { name: 'Field with something before its value', render: () => <Field label="Price" lead="$" /> },
  { name: 'Field, read-only', render: () => <Field label="Name" value="Amara Okafor" readOnly /> },
  { name: 'Field, disabled', render: () => <Field label="Name" value="Amara Okafor" disabled readOnly /> },
  { name: 'PasswordField', render: () => <PasswordField label="Password" defaultValue="secret 1" /> },
  {
    name: 'PasswordField with an error',
    render: () => <PasswordField label="New password" error="Password is Required" />,
  },
  { name: 'TextArea', render: () => <TextArea label="Address" rows={3} /> },
  {
    name: 'TextArea with an error',
    render: () => <TextArea label="Address" rows={3} error="Address is Required" />,
  },
  {
    name: 'SearchField',
    render: () => <SearchField label="Search name or email" value="amara" onSearch={ignore} />,
  },
  { name: 'QuantityField, as it begins', render: () => <Quantity /> },
  { name: 'QuantityField below the minimum order', render: () => <Quantity text="49" /> },
  { name: 'QuantityField above the stock', render: () => <Quantity text="24801" /> },
  { name: 'QuantityField, empty', render: () => <Quantity text="" /> },
  { name: 'QuantityField near a price break', render: () => <Quantity of={stepped} text="475" /> },
  { name: 'QuantityField out of its steps', render: () => <Quantity of={stepped} text="490" /> },
  { name: 'QuantityField, out of stock', render: () => <Quantity of={outOfStock} disabled /> },
  { name: 'RatingField', render: () => <Rating /> },
  { name: 'PictureField, empty', render: () => <Picture /> },
  { name: 'PictureField with an error', render: () => <Picture error="Image is Required" /> },
  { name: 'PictureField, sending', render: () => <Picture progress={0.4} /> },
];

function Quantity({
  of = product,
  text,
  disabled = false,
}: {
  of?: typeof product;
  text?: string;
  disabled?: boolean;
}) {
  const quantity = useOrderQuantity(of);
  const [isSet, setIsSet] = useState(text === undefined);
  if (!isSet && text !== undefined) {
    setIsSet(true);
    quantity.setText(text);
  }
  return (
    <QuantityField
      label="Purchase Quantity"
      quantity={quantity}
      product={of}
      disabled={disabled}
      input={{ current: null }}
    />
  );
}

function Rating() {
  const [value, setValue] = useState(4.5);
  return <RatingField value={value} onChange={setValue} />;
}

function Picture({ error, progress = null }: { error?: string; progress?: number | null }) {
  return (
    <PictureField
      rules={images}
      picture={null}
      error={error}
      progress={progress}
      onChoose={ignore}
      onRemove={ignore}
      input={null}
    />
  );
}
