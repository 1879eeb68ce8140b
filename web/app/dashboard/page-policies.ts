import { policies } from '@parts-forge/contract/policies';

/**
 * Whom each page of the dashboard is for: those who may make the call that it is there for (specification §2,
 * "Dashboard"). The menu offers a page by it, and the page refuses by it. Who may place orders has orders of their
 * own to look at and to pay for.
 */
export const pagePolicies = {
  'my-profile': policies.updateProfile,
  'my-orders': policies.placeOrder,
  'my-reviews': policies.addReview,
  payment: policies.placeOrder,
  'manage-orders': policies.acceptPayment,
  'manage-users': policies.changeRole,
  // Not in the menu, whose entries are the specification's; Manage All Users leads there.
  mail: policies.listMail,
  'add-product': policies.addProduct,
  'manage-products': policies.deleteProduct,
  'restock-csv': policies.changeProducts,
} as const;
