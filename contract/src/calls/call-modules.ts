/** The modules that define calls. */

export * from '../events/events.ts';
export * from '../events/mail.ts';
export * from '../events/trail.ts';
export * from '../events/webhooks.ts';
export * from '../files/downloads.ts';
export * from '../money/payments.ts';
export * from '../orders/batch.ts';
export * from '../orders/order-bulk.ts';
export * from '../orders/orders.ts';
export * from '../orders/overview.ts';
export * from '../orders/shipments.ts';
export * from '../people/accounts.ts';
export * from '../people/email-verification.ts';
export * from '../people/identity.ts';
export * from '../people/keys.ts';
export * from '../people/users.ts';
export * from '../products/catalogue.ts';
export * from '../products/images.ts';
export * from '../products/live.ts';
export * from '../products/price-list.ts';
export * from '../products/product-changes.ts';
export * from '../products/products.ts';
export * from '../products/reviews.ts';
export * from '../products/stock.ts';
export * from '../products/wishes.ts';
