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
type OwnerKey = 'email' | 'order' | 'ordered-product' | 'key' | 'quote';

/** What a key can be allowed, and for whose keys. */
export const SCOPES = {
  'catalogue:write': ['admin'],
  'stock:write': ['admin'],
  'orders:read': ['user', 'admin'],
  'orders:place': ['user'],
  'orders:accept': ['admin'],
  'orders:ship': ['admin'],
  'events:read': ['admin'],
} as const satisfies Record<string, readonly Role[]>;
export type Scope = keyof typeof SCOPES;

export const scopesOf = (role: Role): Scope[] =>
  (Object.keys(SCOPES) as Scope[]).filter((scope) => (SCOPES[scope] as readonly Role[]).includes(role));

export interface Policy<Who extends Caller = Caller> {
  who: Who;
  /** A key needs one of them; absent: never by key. */
  scopes?: readonly Scope[];
  /** Absent: no owner matters. */
  whose?: 'own' | 'own-or-admin';
  by?: OwnerKey;
  /** Only administrators may omit the owner (`?email=`), for everybody's. */
  withoutOwner?: 'admin';
  /** An administrator makes the whole call as one, so the second factor guards all of it. */
  adminActs?: true;
}

const policyTable = <const Table extends Record<string, Policy>>(table: Table): Table => table;

const fileScopes = ['orders:read', 'orders:place', 'stock:write', 'catalogue:write'] as const;
const orderList = {
  who: 'signed-in',
  whose: 'own-or-admin',
  by: 'email',
  withoutOwner: 'admin',
  scopes: ['orders:read'],
} as const;

export const policies = policyTable({
  readConfig: { who: 'everyone' },

  listProducts: { who: 'everyone' },
  readProductFacets: { who: 'everyone' },
  readProduct: { who: 'everyone' },
  readInstead: { who: 'everyone' },
  watchProducts: { who: 'everyone' },
  readPriceList: { who: 'everyone' },
  addProduct: { who: 'admin', scopes: ['catalogue:write'] },
  // A customer's number is ignored (docs/reference/calls.md, "PUT /product/{id}").
  restockProduct: { who: 'signed-in', whose: 'own-or-admin', by: 'ordered-product', adminActs: true },
  changeProduct: { who: 'admin', scopes: ['catalogue:write'] },
  changeStock: { who: 'admin', scopes: ['stock:write'] },
  // `add` needs stock:write, `price` catalogue:write.
  deleteProduct: { who: 'admin' },
  importProducts: { who: 'admin', scopes: ['catalogue:write'] },
  readImport: { who: 'admin', scopes: ['catalogue:write'] },
  listImports: { who: 'admin', scopes: ['catalogue:write'] },
  applyImport: { who: 'admin', scopes: ['catalogue:write'] },
  // Wishes are always the caller's.
  readWish: { who: 'user' },
  addWish: { who: 'user' },
  removeWish: { who: 'user' },
  countWishes: { who: 'admin' },
  // The mail's secret is the proof.
  stopWishes: { who: 'everyone' },

  placeOrder: { who: 'user', whose: 'own', by: 'email', scopes: ['orders:place'] },
  listOrders: orderList,
  countOrders: orderList,
  readOrder: { who: 'signed-in', whose: 'own-or-admin', by: 'order', scopes: ['orders:read'] },
  cancelOrder: { who: 'signed-in', whose: 'own-or-admin', by: 'order' },
  cancelOrders: { who: 'signed-in', whose: 'own-or-admin', by: 'order' },
  acceptPayment: { who: 'admin', scopes: ['orders:accept'] },
  correctAddress: { who: 'admin' },
  actOnOrders: { who: 'admin', scopes: ['orders:accept'] },
  addShipment: { who: 'admin', scopes: ['orders:ship'] },
  removeShipment: { who: 'admin' },
  readParcelFile: { who: 'admin' },
  addShipments: { who: 'admin', scopes: ['orders:ship'] },
  removeShipments: { who: 'admin' },
  refundOrder: { who: 'admin' },
  readOrderPayment: { who: 'admin' },

  placeBatch: { who: 'user', whose: 'own', by: 'email', scopes: ['orders:place'] },
  // The list is always the caller's.
  readBatch: { who: 'user', scopes: ['orders:place'] },
  writeBatchLine: { who: 'user', scopes: ['orders:place'] },
  writeBatchLines: { who: 'user', scopes: ['orders:place'] },
  removeBatchLine: { who: 'user', scopes: ['orders:place'] },
  clearBatch: { who: 'user', scopes: ['orders:place'] },
  addBatchLines: { who: 'user', scopes: ['orders:place'] },
  addBatchFile: { who: 'user', scopes: ['orders:place'] },
  joinBatch: { who: 'user', scopes: ['orders:place'] },
  // Names are always the caller's.
  listAliases: { who: 'user', scopes: ['orders:place'] },
  writeAlias: { who: 'user', scopes: ['orders:place'] },
  removeAlias: { who: 'user', scopes: ['orders:place'] },
  addAliasFile: { who: 'user', scopes: ['orders:place'] },

  // Prices and quotes are the caller's, or everybody's for administrators.
  readOwnPrices: { who: 'user', scopes: ['orders:place'] },
  listAgreedPrices: { who: 'signed-in', adminActs: true, scopes: ['orders:place'] },
  setAgreedPrice: { who: 'admin' },
  removeAgreedPrice: { who: 'admin' },
  askForPrices: { who: 'user', scopes: ['orders:place'] },
  listQuotes: { who: 'signed-in', adminActs: true, scopes: ['orders:place'] },
  withdrawQuote: { who: 'user', whose: 'own', by: 'quote', scopes: ['orders:place'] },
  answerQuote: { who: 'admin' },
  declineQuote: { who: 'admin' },

  openPayment: { who: 'signed-in', whose: 'own', by: 'order' },
  recordPayment: { who: 'signed-in', whose: 'own', by: 'order' },
  receivePaymentEvent: { who: 'payment-provider' },

  // Orders; a list's file follows the list's policy, its scopes included.
  createDownload: { who: 'signed-in', whose: 'own-or-admin', by: 'order', scopes: fileScopes },

  listReviews: { who: 'everyone' },
  addReview: { who: 'user', whose: 'own', by: 'email' },
  deleteReview: { who: 'admin' },

  exchangeIdentity: { who: 'identity', whose: 'own', by: 'email' },
  logout: { who: 'signed-in' },
  listUsers: { who: 'admin' },
  readUser: { who: 'signed-in', whose: 'own-or-admin', by: 'email' },
  readUserSummary: { who: 'admin' },
  updateProfile: { who: 'signed-in', whose: 'own', by: 'email' },
  changeRole: { who: 'admin' },
  changeTax: { who: 'admin' },
  deleteUser: { who: 'signed-in', whose: 'own-or-admin', by: 'email', adminActs: true },

  readOverview: { who: 'admin' },
  readMonth: { who: 'admin' },
  readProof: { who: 'admin' },
  listEvents: { who: 'admin', scopes: ['events:read'] },
  createWebhook: { who: 'admin' },
  listWebhooks: { who: 'admin' },
  changeWebhook: { who: 'admin' },
  deleteWebhook: { who: 'admin' },
  sendDelivery: { who: 'admin' },
  listActivity: { who: 'admin' },
  readStockLedger: { who: 'admin', scopes: ['stock:write'] },
  readOrderTrail: { who: 'signed-in', whose: 'own-or-admin', by: 'order', scopes: ['orders:read'] },

  readUserData: { who: 'signed-in', whose: 'own', by: 'email' },
  createResetLink: { who: 'admin' },
  createKey: { who: 'signed-in', adminActs: true },
  // The keys of administrators belong to all administrators.
  listKeys: { who: 'signed-in', adminActs: true },
  deleteKey: { who: 'signed-in', whose: 'own', by: 'key', adminActs: true },
  sendVerificationMail: { who: 'signed-in', whose: 'own', by: 'email' },
  confirmEmail: { who: 'signed-in', whose: 'own', by: 'email' },

  listMail: { who: 'admin' },
  readMail: { who: 'admin' },

  openUpload: { who: 'admin', scopes: ['catalogue:write'] },
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
  { who, withoutOwner, adminActs }: Policy,
  role: Role | null,
  namesOwner = true,
  lacksSecondFactor = false,
): ProblemCode | null {
  if (!needsAccessToken(who)) return null;
  if (role === null) return 'sign-in-needed';
  if (who === 'user' && role !== 'user') return 'customers-only';
  const isForAdmins = who === 'admin' || (withoutOwner === 'admin' && !namesOwner);
  if (isForAdmins && role !== 'admin') return 'admin-needed';
  const isAdminAct = isForAdmins || (adminActs === true && role === 'admin');
  return isAdminAct && lacksSecondFactor ? 'second-factor-required' : null;
}

const refusalByOwnerKey: Record<OwnerKey, ProblemCode> = {
  email: 'not-yours',
  order: 'not-found',
  'ordered-product': 'not-yours',
  key: 'not-found',
  quote: 'not-found',
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

export const canBeManaged = (role: Role): boolean => role !== 'admin';
