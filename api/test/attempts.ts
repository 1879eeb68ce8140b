import { randomUUID } from 'node:crypto';
import type { policies } from '@parts-forge/contract/calls/policies';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import { findMails } from '#src/mail-outbox/store.ts';
import type { RequestOptions } from './answer.ts';
import { aPicture, aProduct, batchBody, orderBody, signedInAs } from './builders.ts';
import { anAccount, fetchAccessToken } from './identity.ts';
import { anImport } from './imports.ts';
import { aPaidOrder, aShipment } from './paid-orders.ts';
import type { Person } from './person.ts';
import { startShop, type TestShop } from './start-shop.ts';

export type CallName = keyof typeof policies;
/** A request on an owner's things. */
export type Attempt = RequestOptions & { path: string };
export type Attempts = Record<CallName, (owner: Person) => Promise<Attempt>>;

const image = `/images/${'e'.repeat(64)}-1280.webp`;

/** A shop without mail has no wishes. No mail leaves. */
export async function startShopForAttempts(env: Record<string, string> = {}): Promise<TestShop> {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'shop@forge.example' };
  const shop = await startShop({ env: { ...mail, WEBHOOK_HOSTS: '127.0.0.1', ...env } });
  await aPicture(shop, 'e'.repeat(64));
  return shop;
}

/** Builds each call so that only its policy can refuse it. */
export function buildAttempts(shop: TestShop): Attempts {
  const placeOrderFor = async (owner: Person) => owner.orders(await aProduct(shop));

  const aQuote = async (owner: Person) => {
    const lines = [{ productId: (await aProduct(shop))._id, quantity: 50 }];
    return (await owner.post('/quote', { lines })).body.data as Quote;
  };

  const aWebhook = { url: 'http://127.0.0.1:9/', types: ['order.paid'] };
  /** There are ten at most. */
  async function makeWebhook(): Promise<string> {
    const { token } = await signedInAs(shop, 'admin');
    const made = await shop.request('/webhook', { method: 'POST', token, body: aWebhook });
    if (made.status === 200) return `/webhook/${made.body.data._id}`;
    const { body } = await shop.request('/webhook', { token });
    return `/webhook/${body.data.at(-1)._id}`;
  }

  return {
    readConfig: async () => ({ path: '/config' }),
    listProducts: async () => ({ path: '/product' }),
    readProductFacets: async () => ({ path: '/product/facets' }),
    readProduct: async () => ({ path: `/product/${(await aProduct(shop))._id}` }),
    readInstead: async () => ({ path: `/product/${(await aProduct(shop))._id}/instead` }),
    readPriceList: async () => ({ path: '/price-list.json' }),
    // Made invalid on purpose, as its stream does not end.
    watchProducts: async () => ({ path: '/live' }),
    addProduct: async () => ({
      path: '/product',
      body: { name: 'Part', description: 'New.', price: 1, quantity: 1000, minimumOrder: 50, image },
    }),
    restockProduct: async (owner) => ({
      path: `/product/${(await placeOrderFor(owner)).productId}`,
      body: { quantity: 5 },
    }),
    changeProduct: async () => ({
      path: `/product/${(await aProduct(shop))._id}`,
      headers: { 'if-match': '"1"' },
      body: { price: 20 },
    }),
    changeStock: async () => ({
      path: `/product/${(await aProduct(shop))._id}/stock`,
      headers: { 'idempotency-key': randomUUID() },
      body: { add: 5, reason: 'restock' },
    }),
    importProducts: async () => ({
      path: '/product/import',
      headers: { 'content-type': 'text/csv' },
      body: 'number,add\nPF-1,5',
    }),
    readImport: async () => ({
      path: `/product/import/${(await anImport(await signedInAs(shop, 'admin'), 'number,add\nPF-1,5'))._id}`,
    }),
    listImports: async () => ({ path: '/product/import' }),
    applyImport: async () => ({
      path: `/product/import/${(await anImport(await signedInAs(shop, 'admin'), 'number,add\nPF-1,5'))._id}/apply`,
    }),
    deleteProduct: async () => ({ path: `/product/${(await aProduct(shop))._id}` }),
    readWish: async () => ({ path: `/product/${(await aProduct(shop))._id}/wish` }),
    addWish: async () => ({ path: `/product/${(await aProduct(shop, { quantity: 1 }))._id}/wish` }),
    removeWish: async () => ({ path: `/product/${(await aProduct(shop))._id}/wish` }),
    countWishes: async () => ({ path: '/wish' }),
    stopWishes: async () => ({ path: '/wish/stop', body: { token: 'unknown' } }),
    placeOrder: async (owner) => ({ path: '/order', body: orderBody(owner, await aProduct(shop)) }),
    placeBatch: async (owner) => ({
      path: '/order/batch',
      body: batchBody(owner, [[await aProduct(shop), 50]]),
    }),
    readBatch: async () => ({ path: '/batch' }),
    writeBatchLine: async () => ({
      path: `/batch/${(await aProduct(shop))._id}`,
      body: { quantity: 50 },
    }),
    writeBatchLines: async () => ({ path: '/batch', body: { lines: [] } }),
    removeBatchLine: async () => ({ path: `/batch/${(await aProduct(shop))._id}` }),
    clearBatch: async () => ({ path: '/batch' }),
    addBatchLines: async () => ({ path: '/batch/lines', body: { text: 'PF-D6101, 50' } }),
    addBatchFile: async () => ({
      path: '/batch/file',
      headers: { 'content-type': 'text/csv' },
      body: 'PF-D6101, 50',
    }),
    joinBatch: async () => ({ path: '/batch/join', body: { join: randomUUID(), lines: [] } }),
    listAliases: async () => ({ path: '/batch/alias' }),
    writeAlias: async () => ({
      path: '/batch/alias',
      body: { alias: 'FR-2001', productId: (await aProduct(shop))._id },
    }),
    removeAlias: async () => ({ path: '/batch/alias?alias=FR-2001' }),
    addAliasFile: async () => ({
      path: '/batch/alias/file',
      headers: { 'content-type': 'text/csv' },
      body: `name,part number\nFR-2001,${(await aProduct(shop)).number}`,
    }),
    listOrders: async ({ email }) => ({ path: `/order?email=${encodeURIComponent(email)}` }),
    countOrders: async ({ email }) => ({ path: `/order/counts?email=${encodeURIComponent(email)}` }),
    readOrder: async (owner) => ({ path: `/order/${(await placeOrderFor(owner))._id}` }),
    cancelOrder: async (owner) => ({ path: `/order/${(await placeOrderFor(owner))._id}` }),
    cancelOrders: async (owner) => ({
      path: '/order/cancel',
      body: { ids: [(await placeOrderFor(owner))._id] },
    }),
    acceptPayment: async (owner) => ({
      path: `/order/accept/${(await placeOrderFor(owner))._id}`,
      body: { status: 'paid' },
    }),
    correctAddress: async (owner) => ({
      path: `/order/${(await placeOrderFor(owner))._id}/address`,
      body: { address: '3 Quay Street' },
    }),
    actOnOrders: async (owner) => ({
      path: '/order/bulk',
      body: { act: 'accept', ids: [(await placeOrderFor(owner))._id] },
    }),
    addShipment: async (owner) => ({
      path: `/order/${(await placeOrderFor(owner))._id}/shipment`,
      body: { carrier: 'DHL', number: '7', sentAt: '2025-11-21' },
    }),
    readParcelFile: async () => ({
      path: '/shipment/file',
      headers: { 'content-type': 'text/csv' },
      body: 'order,number\n10160,0034',
    }),
    addShipments: async (owner) => ({
      path: '/shipment/bulk',
      body: {
        parcels: [
          { order: (await placeOrderFor(owner))._id, carrier: 'DHL', number: '7', sentAt: '2025-11-21' },
        ],
      },
    }),
    removeShipment: async () => {
      const admin = await signedInAs(shop, 'admin');
      const { order } = await aPaidOrder(shop, admin);
      return { path: `/order/${order._id}/shipment/${(await aShipment(admin, order))._id}` };
    },
    removeShipments: async () => {
      const admin = await signedInAs(shop, 'admin');
      const { order } = await aPaidOrder(shop, admin);
      const { carrier, number } = await aShipment(admin, order);
      return { path: '/shipment/remove', body: { ids: [order._id], carrier, number } };
    },
    refundOrder: async (owner) => ({
      path: `/order/${(await placeOrderFor(owner))._id}/refund`,
      body: { returnStock: true },
    }),
    readOrderPayment: async (owner) => {
      const { _id, totalPrice } = await placeOrderFor(owner);
      await owner.post('/create-payment-intent', { price: totalPrice, order: _id });
      return { path: `/order/${_id}/payment` };
    },
    readOwnPrices: async () => ({ path: `/price?products=${(await aProduct(shop))._id}` }),
    listAgreedPrices: async () => ({ path: '/agreed-price' }),
    setAgreedPrice: async () => ({
      path: '/agreed-price',
      body: {
        customer: (await signedInAs(shop, 'user')).email,
        productId: (await aProduct(shop))._id,
        fromQuantity: 50,
        price: 15,
      },
    }),
    removeAgreedPrice: async () => ({ path: `/agreed-price/${randomUUID()}` }),
    askForPrices: async () => ({
      path: '/quote',
      body: { lines: [{ productId: (await aProduct(shop))._id, quantity: 50 }] },
    }),
    listQuotes: async () => ({ path: '/quote' }),
    withdrawQuote: async (owner) => ({ path: `/quote/${(await aQuote(owner))._id}/withdraw` }),
    answerQuote: async (owner) => {
      const { _id, lines } = await aQuote(owner);
      const answered = lines.map(({ product }) => ({ productId: product._id, fromQuantity: 50, price: 15 }));
      return { path: `/quote/${_id}/answer`, body: { lines: answered, until: '2999-12-31' } };
    },
    declineQuote: async (owner) => ({ path: `/quote/${(await aQuote(owner))._id}/decline`, body: {} }),
    openPayment: async (owner) => {
      const { _id, totalPrice } = await placeOrderFor(owner);
      return { path: '/create-payment-intent', body: { price: totalPrice, order: _id } };
    },
    recordPayment: async (owner) => ({
      path: `/order/${(await placeOrderFor(owner))._id}`,
      body: { transactionId: 'pi_unknown_to_everybody' },
    }),
    receivePaymentEvent: async () => ({ path: '/webhooks/stripe', body: {} }),
    createDownload: async (owner) => ({
      path: '/downloads',
      body: { what: 'invoice', order: (await placeOrderFor(owner))._id },
    }),
    listReviews: async () => ({ path: '/review' }),
    addReview: async ({ email }) => ({ path: '/review', body: { email, rating: 5, description: 'Good.' } }),
    deleteReview: async ({ email, token }) => {
      const body = { email, rating: 5, description: 'Good.' };
      const { insertedId } = (await shop.request('/review', { method: 'POST', token, body })).body;
      return { path: `/review/${insertedId}` };
    },
    exchangeIdentity: async ({ email }) => ({
      path: `/user/${encodeURIComponent(email)}`,
      body: { email, name: 'Amara' },
    }),
    logout: async () => ({ path: '/logout' }),
    listUsers: async () => ({ path: '/user' }),
    readUser: async ({ email }) => ({ path: `/user/${encodeURIComponent(email)}` }),
    updateProfile: async ({ email }) => ({
      path: `/user/update/${encodeURIComponent(email)}`,
      body: { education: 'Electronics' },
    }),
    readUserSummary: async ({ email }) => ({ path: `/user/${encodeURIComponent(email)}/summary` }),
    changeRole: async ({ email }) => ({
      path: `/user/admin/${encodeURIComponent(email)}`,
      body: { role: 'admin' },
    }),
    changeTax: async ({ email }) => ({
      path: `/user/tax/${encodeURIComponent(email)}`,
      body: { tax: 'standard' },
    }),
    deleteUser: async ({ email }) => ({ path: `/user/${encodeURIComponent(email)}` }),
    readOverview: async () => ({ path: '/overview' }),
    readProof: async () => ({ path: '/overview/month/proof?month=2026-11' }),
    readMonth: async () => ({ path: '/overview/month?month=2026-11' }),
    listEvents: async () => ({ path: '/events' }),
    createWebhook: async () => ({ path: '/webhook', body: aWebhook }),
    listWebhooks: async () => ({ path: '/webhook' }),
    changeWebhook: async () => ({ path: await makeWebhook(), body: { state: 'off' } }),
    deleteWebhook: async () => ({ path: await makeWebhook() }),
    sendDelivery: async () => ({ path: `${await makeWebhook()}/deliveries`, body: {} }),
    listActivity: async () => ({ path: '/activity' }),
    readStockLedger: async () => ({ path: `/product/${(await aProduct(shop))._id}/stock` }),
    readOrderTrail: async (owner) => ({ path: `/order/${(await placeOrderFor(owner))._id}/trail` }),
    readUserData: async ({ email }) => ({ path: `/user/${encodeURIComponent(email)}/data` }),
    // A person with an account at the identity service, as a link requires one.
    createResetLink: async () => {
      const account = await anAccount(shop);
      await fetchAccessToken(shop, account);
      return { path: `/user/${encodeURIComponent(account.email)}/reset-link` };
    },
    createKey: async () => ({ path: '/key', body: { name: 'ERP', scopes: ['orders:read'] } }),
    listKeys: async () => ({ path: '/key' }),
    deleteKey: async ({ token }) => {
      const body = { name: 'ERP', scopes: ['orders:read'] };
      const made = await shop.request('/key', { method: 'POST', token, body });
      return { path: `/key/${made.body.data._id}` };
    },
    sendVerificationMail: async ({ email }) => ({ path: `/user/${encodeURIComponent(email)}/verification` }),
    confirmEmail: async ({ email }) => ({
      path: `/user/${encodeURIComponent(email)}/verification`,
      body: { token: 'unknown' },
    }),
    listMail: async () => ({ path: '/mail' }),
    readMail: async (owner) => {
      await placeOrderFor(owner);
      const [mail] = (await findMails(shop.db, {})).rows;
      return { path: `/mail/${mail?.id}` };
    },
    openUpload: async () => ({ path: '/images/key' }),
    uploadImage: async () => ({ path: '/images/upload', body: new FormData() }),
  };
}
