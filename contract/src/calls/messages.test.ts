import { describe, expect, test } from 'vitest';
import { aboveStock, belowMinimum, messages, outOfStep, paymentFailed } from './messages.ts';

// Typed by hand from the specification (§2, §4, §5, §8), quirks included.
describe('the messages of the specification', () => {
  test('keep its spelling', () => {
    expect(messages).toMatchObject({
      emailRequired: 'Email is Required',
      emailInvalid: 'Valid Email is needed',
      passwordRequired: 'Password is Required',
      passwordTooShort: 'Must be 6 characters or longer',
      nameRequired: 'Name is Required',
      descriptionRequired: 'Description is Required',
      priceRequired: 'Price is Required',
      stockRequired: 'quantity is Required',
      minimumOrderRequired: 'minimumOrder is Required',
      imageRequired: 'Image is Required',
      amountTooLarge: 'Amount must be no more than $999,999.99',
      registered: 'Registration Successful. Please Login !',
      needAdmin: 'Need Admin to access the page',
      noUser: 'No user is logged in',
      orderPlaced: 'Order placed successfully',
      orderCancelled: 'Order Cancel successfully..!',
      paymentAccepted: 'Order Payment Accepted',
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
    });
  });

  test('contain their numbers', () => {
    expect(belowMinimum(50)).toBe('Please order minimum 50');
    expect(outOfStep(25)).toBe('Please order in steps of 25');
    expect(aboveStock(24_800)).toBe('maximum order range 24800');
    expect(outOfStep(25)).toBe('Please order in steps of 25');
    expect(paymentFailed('Your card was declined.')).toBe('Error: Your card was declined.');
  });
});
