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
import { applyImport, importProducts, listImports, readImport } from './catalogue.ts';
import { createDownload } from './downloads.ts';
import { confirmEmail, sendVerificationMail } from './email-verification.ts';
import { listEvents } from './events.ts';
import { exchangeIdentity, logout, readConfig } from './identity.ts';
import { openUpload, takeUpload, uploadImage } from './images.ts';
import { createKey, deleteKey, listKeys } from './keys.ts';
import { watchProducts } from './live.ts';
import { listMail, readMail } from './mail.ts';
import { actOnOrders, addShipments } from './order-bulk.ts';
import {
  acceptPayment,
  cancelOrder,
  correctAddress,
  countOrders,
  listOrders,
  placeOrder,
  readOrder,
} from './orders.ts';
import { readMonth, readOverview, readProof } from './overview.ts';
import {
  openPayment,
  readOrderPayment,
  receivePaymentEvent,
  recordPayment,
  refundOrder,
} from './payments.ts';
import type { policies } from './policies.ts';

import { readPriceList } from './price-list.ts';
import { changeProduct } from './product-changes.ts';
import {
  addProduct,
  deleteProduct,
  listProducts,
  readProduct,
  readProductFacets,
  restockProduct,
} from './products.ts';
import { addReview, deleteReview, listReviews } from './reviews.ts';
import { addShipment, removeShipment } from './shipments.ts';
import { changeStock } from './stock.ts';

import { listActivity, readOrderTrail, readStockLedger } from './trail.ts';
import {
  changeRole,
  changeTax,
  deleteUser,
  listUsers,
  readUser,
  readUserSummary,
  updateProfile,
} from './users.ts';
import { changeWebhook, createWebhook, deleteWebhook, listWebhooks, sendDelivery } from './webhooks.ts';
import { addWish, countWishes, readWish, removeWish, stopWishes } from './wishes.ts';

/** Names equal those in `policies.ts`. */
export const calls = {
  readConfig,
  listProducts,
  readProductFacets,
  readProduct,
  watchProducts,
  readPriceList,
  addProduct,
  restockProduct,
  changeProduct,
  changeStock,
  deleteProduct,
  importProducts,
  readImport,
  listImports,
  applyImport,
  readWish,
  addWish,
  removeWish,
  countWishes,
  stopWishes,
  placeOrder,
  listOrders,
  countOrders,
  readOrder,
  cancelOrder,
  acceptPayment,
  correctAddress,
  actOnOrders,
  addShipment,
  removeShipment,
  addShipments,
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
  createDownload,
  listReviews,
  addReview,
  deleteReview,
  exchangeIdentity,
  logout,
  listUsers,
  readUser,
  readUserSummary,
  updateProfile,
  changeRole,
  changeTax,
  deleteUser,
  readOverview,
  readMonth,
  readProof,
  listEvents,
  createWebhook,
  listWebhooks,
  changeWebhook,
  deleteWebhook,
  sendDelivery,
  listActivity,
  readStockLedger,
  readOrderTrail,
  readUserData,
  createResetLink,
  createKey,
  listKeys,
  deleteKey,
  sendVerificationMail,
  confirmEmail,
  listMail,
  readMail,
  openUpload,
  takeUpload,
  uploadImage,
} as const satisfies Record<keyof typeof policies, Call>;
