import { SignedOutError } from '#app/http/errors.ts';
import { LoginForm } from '#app/identity/login-form.tsx';
import { RegisterForm } from '#app/identity/register-form.tsx';
import { OrderError } from '#app/orders/purchase/order-error.tsx';
import { PurchaseForm } from '#app/orders/purchase/purchase-form.tsx';
import { usePurchase } from '#app/orders/purchase/use-purchase.ts';
import { AddProductForm } from '#app/products/manage/add-product-form.tsx';
import { ReviewForm } from '#app/reviews/review-form.tsx';
import { ProfileForm, UpdateError } from '#app/users/profile-form.tsx';
import { aConfig } from '../builders.ts';
import type { Example } from '../example.ts';
import { Provider } from '../provider.tsx';
import {
  administrator,
  busy,
  customer,
  failure,
  ignore,
  offline,
  outOfStock,
  problem,
  product,
} from '../sample-data.ts';
import { SubmitOnMount } from '../submit-on-mount.tsx';

const { images } = aConfig();
const reviewer = { id: customer._id, email: customer.email, displayName: customer.name };
const never = () => new Promise<void>(() => {});

const login = () => <LoginForm onSubmit={never} />;
const register = () => <RegisterForm onSubmit={never} />;
const addProduct = () => (
  <Provider as={administrator}>
    <AddProductForm rules={images} focusFirst={false} onAdded={ignore} />
  </Provider>
);
const addReview = () => (
  <Provider>
    <ReviewForm user={reviewer} />
  </Provider>
);
const purchase = (of = product, as = customer) => (
  <Provider as={as}>
    <Purchase product={of} />
  </Provider>
);

function Purchase({ product: of }: { product: typeof product }) {
  return <PurchaseForm product={of} purchase={usePurchase(of, false)} />;
}

const orderErrors = [
  ['the stock changed', problem('above-stock', { quantity: 700 })],
  ['the price changed', problem('price-changed', { price: 60 })],
  ['the part changed', problem('below-minimum')],
  ['the part is no longer sold', problem('not-found')],
  ['the address is not confirmed', problem('email-not-verified')],
  ['the shop failed', failure],
  ['the shop is busy', busy],
  ['no answer came', offline],
] as const;

export const forms: readonly Example[] = [
  { name: 'Login', render: login },
  { name: 'Login with its messages', render: () => <SubmitOnMount>{login()}</SubmitOnMount> },
  { name: 'Sign Up', render: register },
  { name: 'Sign Up with its messages', render: () => <SubmitOnMount>{register()}</SubmitOnMount> },
  { name: 'Purchase', render: () => purchase() },
  { name: 'Purchase with its messages', render: () => <SubmitOnMount>{purchase()}</SubmitOnMount> },
  { name: 'Purchase of a part that is out of stock', render: () => purchase(outOfStock) },
  { name: 'Purchase, to an administrator', render: () => purchase(product, administrator) },
  ...orderErrors.map(([why, error]) => ({
    name: `Purchase refused: ${why}`,
    render: () => (
      <OrderError
        error={error}
        email="amara@fieldrepair.example"
        total={3000}
        isAvailable
        isUnanswered={error === failure || error === offline}
        onForget={ignore}
      />
    ),
  })),
  { name: 'Add Product', render: addProduct },
  { name: 'Add Product with its messages', render: () => <SubmitOnMount>{addProduct()}</SubmitOnMount> },
  { name: 'Review', render: addReview },
  { name: 'Review with its message', render: () => <SubmitOnMount>{addReview()}</SubmitOnMount> },
  {
    name: 'Profile',
    render: () => (
      <Provider>
        <ProfileForm user={customer} />
      </Provider>
    ),
  },
  { name: 'Profile: no user is logged in', render: () => <UpdateError error={new SignedOutError()} /> },
  { name: 'Profile: the shop failed', render: () => <UpdateError error={failure} /> },
];
