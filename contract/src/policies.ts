/**
 * Who may do what to whose things (specification §6). Server and page use it, and a test tries each call in
 * each role.
 * Imports types only, so that a first page loads no validation library.
 */
import type { ProblemCode } from './problems.ts';

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** `identity`, `payment-provider` and `upload-key` have proofs of their own. */
export type Caller = 'everyone' | 'signed-in' | Role | 'identity' | 'payment-provider' | 'upload-key';

/** Decides the refusal: 403 for an address that the caller names, 404 for another customer's order. */
type OwnerKey = 'email' | 'order' | 'ordered-product';

export interface Policy<Who extends Caller = Caller> {
  who: Who;
  /** Absent: no owner matters. */
  whose?: 'own' | 'own-or-admin';
  by?: OwnerKey;
  /** Only administrators may omit the owner (`?email=`), for everybody's. */
  withoutOwner?: 'admin';
}

const policyTable = <const Table extends Record<string, Policy>>(table: Table): Table => table;

export const policies = policyTable({
  readConfig: { who: 'everyone' },

  listProducts: { who: 'everyone' },
  readProductFacets: { who: 'everyone' },
  readProduct: { who: 'everyone' },
  watchProducts: { who: 'everyone' },
  addProduct: { who: 'admin' },
  // A customer's number is ignored (docs/reference/calls.md, "PUT /product/{id}").
  restockProduct: { who: 'signed-in', whose: 'own-or-admin', by: 'ordered-product' },
  changeProduct: { who: 'admin' },
  changeStock: { who: 'admin' },
  changeProducts: { who: 'admin' },
  deleteProduct: { who: 'admin' },
  // Wishes are always the caller's.
  readWish: { who: 'user' },
  addWish: { who: 'user' },
  removeWish: { who: 'user' },
  countWishes: { who: 'admin' },
  // The mail's secret is the proof.
  stopWishes: { who: 'everyone' },

  placeOrder: { who: 'user', whose: 'own', by: 'email' },
  listOrders: { who: 'signed-in', whose: 'own-or-admin', by: 'email', withoutOwner: 'admin' },
  countOrders: { who: 'signed-in', whose: 'own-or-admin', by: 'email', withoutOwner: 'admin' },
  readOrder: { who: 'signed-in', whose: 'own-or-admin', by: 'order' },
  cancelOrder: { who: 'signed-in', whose: 'own-or-admin', by: 'order' },
  acceptPayment: { who: 'admin' },
  correctAddress: { who: 'admin' },
  actOnOrders: { who: 'admin' },
  addShipment: { who: 'admin' },
  removeShipment: { who: 'admin' },
  addShipments: { who: 'admin' },
  refundOrder: { who: 'admin' },
  readOrderPayment: { who: 'admin' },

  placeBatch: { who: 'user', whose: 'own', by: 'email' },
  // The list is always the caller's.
  readBatch: { who: 'user' },
  writeBatchLine: { who: 'user' },
  removeBatchLine: { who: 'user' },
  clearBatch: { who: 'user' },
  addBatchLines: { who: 'user' },
  joinBatch: { who: 'user' },

  openPayment: { who: 'signed-in', whose: 'own', by: 'order' },
  recordPayment: { who: 'signed-in', whose: 'own', by: 'order' },
  receivePaymentEvent: { who: 'payment-provider' },

  // Of orders; a list's file follows the list's policy.
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
  changeTax: { who: 'admin' },
  deleteUser: { who: 'signed-in', whose: 'own-or-admin', by: 'email' },
  readUserData: { who: 'signed-in', whose: 'own', by: 'email' },
  createResetLink: { who: 'admin' },
  sendVerificationMail: { who: 'signed-in', whose: 'own', by: 'email' },
  confirmEmail: { who: 'signed-in', whose: 'own', by: 'email' },

  readOverview: { who: 'admin' },
  readMonth: { who: 'admin' },
  readProof: { who: 'admin' },
  listActivity: { who: 'admin' },
  readStockLedger: { who: 'admin' },
  readOrderTrail: { who: 'signed-in', whose: 'own-or-admin', by: 'order' },

  listMail: { who: 'admin' },
  readMail: { who: 'admin' },

  openUpload: { who: 'admin' },
  takeUpload: { who: 'admin' },
  uploadImage: { who: 'upload-key' },
});

export const needsAccessToken = (who: Caller): who is 'signed-in' | Role =>
  who === 'signed-in' || who === 'user' || who === 'admin';

/**
 * Null when the role may make the call.
 * @param role null for a visitor
 * @param namesOwner whether an optional owner is given
 * @param lacksSecondFactor leaves an administrator only their own things
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

/** Null when the caller may act on this owner's things. */
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

/** Specification §4. */
export const canBeManaged = (role: Role): boolean => role !== 'admin';
