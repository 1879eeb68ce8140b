import type { ProblemBody, ProblemCode } from '@parts-forge/contract/problems';
import { problems, problemType } from '@parts-forge/contract/problems';
import { OfflineError, ShopProblem } from '#app/http/errors.ts';
import type { ChosenOrders } from '#app/orders/mine/use-chosen-orders.ts';
import mainboard from '#app/pictures/mainboard-640.webp';
import { anOrder, aProduct, aReview, aUser } from './builders.ts';

export const requestId = '0198c2f4-5d3e-7a10-9c2b-6f1d2e3a4b5c';

export const product = aProduct({
  name: 'Mainboard',
  description: 'Populated and tested. '.repeat(6),
  image: mainboard,
});
export const outOfStock = aProduct({ name: 'Rear camera module', quantity: 40, image: '' });
export const stepped = aProduct({
  name: 'OLED display assembly',
  orderStep: 25,
  priceBreaks: [
    { quantity: 500, price: 61.2 },
    { quantity: 5000, price: 57.9 },
  ],
  image: '',
});
export const longName = aProduct({ name: 'M'.repeat(120), image: '' });

export const orders = [
  anOrder({ productName: 'Mainboard', image: mainboard }),
  anOrder({
    productName: 'Rear camera module',
    image: '',
    status: 'pending',
    transactionId: 'pi_3QkWvL2eZvKYlo2C',
  }),
  anOrder({
    productName: 'Battery 4,500 mAh',
    image: '',
    status: 'paid',
    transactionId: 'pi_3QkWvL2eZvKYlo2D',
  }),
] as const;
/** No order is chosen for payment. */
export const chooseNone: ChosenOrders = {
  orders: [],
  isChosen: () => false,
  toggle: () => {},
  clear: () => {},
  isFull: false,
};
export const ordersAndMoney = [
  anOrder({ image: '', heldUntil: '2026-11-24T09:30:00.000Z' }),
  anOrder({ image: '', status: 'pending', refund: { amount: 1500, state: 'succeeded' } }),
  anOrder({ image: '', status: 'pending', refund: { amount: 1500, state: 'failed' } }),
  anOrder({ image: '', status: 'pending', disputed: true }),
  anOrder({ image: '', status: 'paid', refund: { amount: 7740, state: 'pending' } }),
  anOrder({ image: '', status: 'paid', refund: { amount: 7740, state: 'succeeded' } }),
  anOrder({ image: '', status: 'pending', refund: { amount: 70, state: 'succeeded', unassigned: 70 } }),
  anOrder({ image: '', closed: 'cancelled', reference: 'PO 4711' }),
  anOrder({ image: '', closed: 'expired' }),
];

export const [unpaidOrder, pendingOrder, paidOrder] = orders;

export const customer = aUser({
  education: 'Diploma in Electronics',
  linkdin: 'https://www.linkedin.com/in/amara',
});
export const administrator = aUser({
  name: 'Ines Carvalho',
  email: 'ines@partsforge.example',
  role: 'admin',
});
export const review = aReview();

export const problem = (code: ProblemCode, body: Partial<ProblemBody> = {}, retryAfter?: number) =>
  new ShopProblem(
    problems[code].status,
    {
      type: problemType(code),
      title: problems[code].title,
      detail: problems[code].title,
      requestId,
      ...body,
    },
    new Headers(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  );

export const failure = problem('internal');
export const busy = problem('overloaded', {}, 30);
export const offline = new OfflineError();

export const ignore = () => {};
