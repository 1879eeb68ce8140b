import { type Policy, policies } from '@parts-forge/contract/policies';

/**
 * Whom each page of the dashboard is for: those who may make the call that it is there for (specification §2,
 * "Dashboard"), by its first name in the address. The menu offers a page by it, and the page refuses by it. Who may place
 * orders has orders of their own to look at and to pay for.
 */
export const pagePolicies = {
  overview: policies.readOverview,
  'my-profile': policies.updateProfile,
  'my-orders': policies.placeOrder,
  'my-reviews': policies.addReview,
  payment: policies.placeOrder,
  batch: policies.placeBatch,
  'manage-orders': policies.acceptPayment,
  // Not in the menu, whose entries are the specification's; All Orders leads there.
  'pick-list': policies.acceptPayment,
  'packing-slip': policies.acceptPayment,
  'manage-users': policies.changeRole,
  // Not in the menu, whose entries are the specification's; Manage All Users leads there.
  mail: policies.listMail,
  customers: policies.readUserSummary,
  // Its customer's, or an administrator's; Manage All Orders leads there.
  order: policies.readOrder,
  activity: policies.listActivity,
  'add-product': policies.addProduct,
  'manage-products': policies.deleteProduct,
  'restock-csv': policies.changeProducts,
} as const;

/** A page that everybody has does not wait for the role: it says itself when its reader cannot be read. */
const { 'my-profile': _, ...waitingPages } = pagePolicies;
const waiting = new Map<string, Policy>(Object.entries(waitingPages));

/**
 * @param pattern of the route that was found (`/dashboard/mail/:id`): an address may be written in several ways
 * @returns undefined for a page that refuses nobody
 */
export const findPagePolicy = (pattern: string): Policy | undefined => {
  const [, name = ''] = pattern.split('/').filter(Boolean);
  return waiting.get(name);
};
