/**
 * Who may do what to whose (specification §6; contract, "Calls"). One table for the server, which refuses with it,
 * for the page, which does not offer what would be refused, and for a test that tries every call in every role.
 * Nothing is imported but types, so that a visitor's first page pays for no library that checks forms.
 */
import type { ProblemCode } from './problems.ts';

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Who may make a call. `identity` carries the identity service's token instead of the shop's; `payment-provider`
 * and `upload-key` prove themselves in their own way.
 */
export type Caller = 'everyone' | 'signed-in' | Role | 'identity' | 'payment-provider' | 'upload-key';

/**
 * By what the owner is known, which decides how another's is refused: an address that the caller names is no
 * secret (403), while an order that is not theirs does not exist for them (404).
 */
type OwnerKey = 'email' | 'order' | 'ordered-product';

export interface Policy<Who extends Caller = Caller> {
  who: Who;
  /** Whose things the call is about: the caller's own, or anybody's for an administrator. Absent: no owner matters. */
  whose?: 'own' | 'own-or-admin';
  by?: OwnerKey;
  /** Without naming an owner (`?email=`) everybody's are meant: for administrators alone. */
  withoutOwner?: 'admin';
}

/** Keeps the exact caller of each line; gives back what it was given. */
const policyTable = <const Table extends Record<string, Policy>>(table: Table): Table => table;

export const policies = policyTable({
  readConfig: { who: 'everyone' },

  listProducts: { who: 'everyone' },
  readProductFacets: { who: 'everyone' },
  readProduct: { who: 'everyone' },
  watchProducts: { who: 'everyone' },
  addProduct: { who: 'admin' },
  // The number of a customer who has ordered the product is read and not applied (contract, `PUT /product/{id}`).
  restockProduct: { who: 'signed-in', whose: 'own-or-admin', by: 'ordered-product' },
  changeProduct: { who: 'admin' },
  changeStock: { who: 'admin' },
  changeProducts: { who: 'admin' },
  deleteProduct: { who: 'admin' },

  placeOrder: { who: 'user', whose: 'own', by: 'email' },
  listOrders: { who: 'signed-in', whose: 'own-or-admin', by: 'email', withoutOwner: 'admin' },
  readOrder: { who: 'signed-in', whose: 'own-or-admin', by: 'order' },
  cancelOrder: { who: 'signed-in', whose: 'own-or-admin', by: 'order' },
  acceptPayment: { who: 'admin' },
  refundOrder: { who: 'admin' },
  readOrderPayment: { who: 'admin' },

  placeBatch: { who: 'user', whose: 'own', by: 'email' },
  // A list belongs to whoever asks: nobody else's can be named.
  readBatch: { who: 'user' },
  writeBatchLine: { who: 'user' },
  removeBatchLine: { who: 'user' },
  clearBatch: { who: 'user' },
  addBatchLines: { who: 'user' },
  joinBatch: { who: 'user' },

  openPayment: { who: 'signed-in', whose: 'own', by: 'order' },
  recordPayment: { who: 'signed-in', whose: 'own', by: 'order' },
  receivePaymentEvent: { who: 'payment-provider' },

  // Of orders; lists are for whoever may read the list.
  createDownload: { who: 'signed-in', whose: 'own-or-admin', by: 'order' },

  listReviews: { who: 'everyone' },
  addReview: { who: 'user', whose: 'own', by: 'email' },
  deleteReview: { who: 'admin' },

  exchangeIdentity: { who: 'identity', whose: 'own', by: 'email' },
  logout: { who: 'signed-in' },
  listUsers: { who: 'admin' },
  readUser: { who: 'signed-in', whose: 'own-or-admin', by: 'email' },
  updateProfile: { who: 'signed-in', whose: 'own', by: 'email' },
  readUserSummary: { who: 'admin' },
  changeRole: { who: 'admin' },
  deleteUser: { who: 'signed-in', whose: 'own-or-admin', by: 'email' },
  readUserData: { who: 'signed-in', whose: 'own', by: 'email' },
  createResetLink: { who: 'admin' },
  sendVerificationMail: { who: 'signed-in', whose: 'own', by: 'email' },
  confirmEmail: { who: 'signed-in', whose: 'own', by: 'email' },

  readOverview: { who: 'admin' },
  listActivity: { who: 'admin' },
  readStockLedger: { who: 'admin' },
  readOrderTrail: { who: 'signed-in', whose: 'own-or-admin', by: 'order' },

  listMail: { who: 'admin' },
  readMail: { who: 'admin' },

  openUpload: { who: 'admin' },
  takeUpload: { who: 'admin' },
  uploadImage: { who: 'upload-key' },
});

/** Whether a call asks for the shop's access token. */
export const needsAccessToken = (who: Caller): who is 'signed-in' | Role =>
  who === 'signed-in' || who === 'user' || who === 'admin';

/**
 * Why somebody of this role may not make the call at all; null when they may.
 * @param role null for a visitor
 * @param namesOwner whether the call names whose things it is about, where it may leave that out
 * @param lacksSecondFactor the shop asks administrators for a second factor and this one signed in without: only what
 *   is their own is open to them
 */
export function refuseByRole(
  { who, withoutOwner }: Policy,
  role: Role | null,
  namesOwner = true,
  lacksSecondFactor = false,
): ProblemCode | null {
  if (!needsAccessToken(who)) return null;
  if (role === null) return 'sign-in-needed';
  if (who === 'user' && role !== 'user') return 'customers-only';
  const isForAdmins = who === 'admin' || (withoutOwner === 'admin' && !namesOwner);
  if (isForAdmins && role !== 'admin') return 'admin-needed';
  return isForAdmins && lacksSecondFactor ? 'second-factor-required' : null;
}

const refusalByOwnerKey: Record<OwnerKey, ProblemCode> = {
  email: 'not-yours',
  order: 'not-found',
  'ordered-product': 'not-yours',
};

/**
 * Why somebody who may make the call may not make it on this owner's things; null when they may.
 * @param isOwner whether the things are the caller's own
 * @param lacksSecondFactor as above
 */
export function refuseByOwner(
  { whose, by = 'email' }: Policy,
  role: Role,
  isOwner: boolean,
  lacksSecondFactor = false,
): ProblemCode | null {
  if (whose === undefined || isOwner) return null;
  if (whose === 'own-or-admin' && role === 'admin')
    return lacksSecondFactor ? 'second-factor-required' : null;
  return refusalByOwnerKey[by];
}

/** Whether an administrator is offered to promote or remove somebody: everybody but administrators (specification §4). */
export const canBeManaged = (role: Role): boolean => role !== 'admin';
