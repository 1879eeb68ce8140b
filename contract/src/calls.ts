import { createResetLink, readUserData } from './accounts.ts';
import {
  addBatchLines,
  clearBatch,
  joinBatch,
  placeBatch,
  readBatch,
  removeBatchLine,
  writeBatchLine,
} from './batch.ts';
import type { Call } from './call.ts';
import { confirmEmail, sendVerificationMail } from './email-verification.ts';
import { exchangeIdentity, logout, readConfig } from './identity.ts';
import { openUpload, takeUpload, uploadImage } from './images.ts';
import { watchProducts } from './live.ts';
import { listMail, readMail } from './mail.ts';
import { acceptPayment, cancelOrder, listOrders, placeOrder, readOrder } from './orders.ts';
import {
  openPayment,
  readOrderPayment,
  receivePaymentEvent,
  recordPayment,
  refundOrder,
} from './payments.ts';
import type { policies } from './policies.ts';
import { addProduct, deleteProduct, listProducts, readProduct, restockProduct } from './products.ts';
import { addReview, listReviews } from './reviews.ts';
import { listActivity, readOrderTrail, readStockLedger } from './trail.ts';
import { changeRole, deleteUser, listUsers, readUser, updateProfile } from './users.ts';

/** Every call of the contract by its name, which is also the name of its line in `policies.ts`. */
export const calls = {
  readConfig,
  listProducts,
  readProduct,
  watchProducts,
  addProduct,
  restockProduct,
  deleteProduct,
  placeOrder,
  listOrders,
  readOrder,
  cancelOrder,
  acceptPayment,
  refundOrder,
  readOrderPayment,
  placeBatch,
  readBatch,
  writeBatchLine,
  removeBatchLine,
  clearBatch,
  addBatchLines,
  joinBatch,
  openPayment,
  recordPayment,
  receivePaymentEvent,
  listReviews,
  addReview,
  exchangeIdentity,
  logout,
  listUsers,
  readUser,
  updateProfile,
  changeRole,
  deleteUser,
  listActivity,
  readStockLedger,
  readOrderTrail,
  readUserData,
  createResetLink,
  sendVerificationMail,
  confirmEmail,
  listMail,
  readMail,
  openUpload,
  takeUpload,
  uploadImage,
} as const satisfies Record<keyof typeof policies, Call>;
