import { type Policy, policies } from '@parts-forge/contract/calls/policies';

/**
 * The permission for each dashboard page, by its first name in the address (specification §2, "Dashboard").
 * The menu and the page's refusal use it.
 */
export const pagePolicies = {
  overview: policies.readOverview,
  'my-profile': policies.updateProfile,
  'my-orders': policies.placeOrder,
  'my-reviews': policies.addReview,
  payment: policies.placeOrder,
  batch: policies.placeBatch,
  // Not in the menu; the batch links to it.
  'own-names': policies.listAliases,
  'my-prices': policies.askForPrices,
  'manage-orders': policies.acceptPayment,
  // Not in the specification's menu; All Orders links to it.
  'pick-list': policies.acceptPayment,
  'packing-slips': policies.acceptPayment,
  'parcels-csv': policies.addShipments,
  'manage-users': policies.changeRole,
  // Not in the specification's menu; Manage All Users links to it.
  mail: policies.listMail,
  customers: policies.readUserSummary,
  // Not in the menu; Manage All Orders links to it.
  order: policies.readOrder,
  purchase: policies.listOrders,
  connections: policies.listKeys,
  // Not in the menu; Connections links to it.
  webhooks: policies.listWebhooks,
  activity: policies.listActivity,
  'add-product': policies.addProduct,
  'manage-products': policies.deleteProduct,
  prices: policies.answerQuote,
  'catalogue-file': policies.importProducts,
} as const;

/** My Profile is for everybody and does not wait for the role. */
const { 'my-profile': _, ...waitingPages } = pagePolicies;
const waiting = new Map<string, Policy>(Object.entries(waitingPages));

/**
 * @param pattern the matched route (`/dashboard/mail/:id`), as an address has several spellings
 * @returns undefined for a page without a restriction
 */
export const findPagePolicy = (pattern: string): Policy | undefined => {
  const [, name = ''] = pattern.split('/').filter(Boolean);
  return waiting.get(name);
};
