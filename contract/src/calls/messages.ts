import { formatCents } from '../money/money.ts';
import { MAX_TOTAL_CENTS, MIN_PASSWORD } from './bounds.ts';

/**
 * Texts of specification §2, §4, §5 and §8, letter by letter: misspellings, small letters and the trailing
 * space are intended.
 */
export const messages = {
  emailRequired: 'Email is Required',
  emailInvalid: 'Valid Email is needed',
  passwordRequired: 'Password is Required',
  passwordTooShort: `Must be ${MIN_PASSWORD} characters or longer`,
  nameRequired: 'Name is Required',
  descriptionRequired: 'Description is Required',
  priceRequired: 'Price is Required',
  stockRequired: 'quantity is Required',
  minimumOrderRequired: 'minimumOrder is Required',
  imageRequired: 'Image is Required',
  quantityRequired: 'Quantity is Required',
  quantityNotWhole: 'Quantity must be a whole number',
  addressRequired: 'Address is Required',
  phoneRequired: 'phone is Required',
  reviewRequired: 'Review is Required',
  get amountTooLarge() {
    return `Amount must be no more than ${formatCents(MAX_TOTAL_CENTS)}`;
  },

  registered: 'Registration Successful. Please Login !',
  needAdmin: 'Need Admin to access the page',
  noUser: 'No user is logged in',
  googleNotSetUp: 'Google sign-in is not set up on this shop.',
  administratorsDoNotOrder: 'Administrators cannot place orders.',

  orderPlaced: 'Order placed successfully',
  orderCancelled: 'Order Cancel successfully..!',
  paymentAccepted: 'Order Payment Accepted',
  orderRefunded: 'Order refunded',
  userRemoved: 'User Removed successfully..!',
  madeAdmin: 'Made Admin successfully..!',
  profileUpdated: 'profile updated successfully',
  reviewSubmitted: 'Review submitted successfully.',
  productDeleted: 'product deleted successfully ',
  productUploaded: 'product uploaded successfully',
  productFailed: 'something error happend',
  paymentAlreadyDone: 'Product Payment Already done',
  paymentSucceeded: 'Success: Congrats. Your Payment is completed.',
  cannotTakeAction: 'Can not take action',
  shipped: 'Shipped',
} as const;

export const belowMinimum = (minimumOrder: number) => `Please order minimum ${minimumOrder}`;

/** Specification §5; pieces in stock. */
export const aboveStock = (quantity: number) => `maximum order range ${quantity}`;

/** In the style of the specification's messages. */
export const outOfStep = (orderStep: number) => `Please order in steps of ${orderStep}`;

/** Specification §8; the provider's message. */
export const paymentFailed = (message: string) => `Error: ${message}`;
