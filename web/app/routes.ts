import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Not in builds. */
const development =
  process.env.NODE_ENV === 'development' ? [route('dev/components', 'dev/components-page.tsx')] : [];

/** Every page (specification §2). The calls are elsewhere. */
export default [
  index('pages/home.tsx'),
  route('blogs', 'pages/blogs.tsx'),
  route('portfolio', 'pages/portfolio.tsx'),
  route('all-products', 'pages/all-products.tsx'),
  route('products/:id', 'pages/part-address.tsx'),
  route('products/:id/:slug', 'pages/part.tsx'),
  route('login', 'pages/login.tsx'),
  route('register', 'pages/register.tsx'),
  route('forgot-password', 'pages/forgot-password.tsx'),
  route('reset-password', 'pages/reset-password.tsx'),
  route('verify-email', 'pages/verify-email.tsx'),
  layout('pages/guard.tsx', [
    route('purchase/:id', 'pages/purchase.tsx'),
    route('dashboard', 'pages/dashboard.tsx', [
      index('pages/dashboard-index.tsx'),
      route('overview', 'pages/overview.tsx'),
      route('overview/month', 'pages/month.tsx'),
      route('my-profile', 'pages/my-profile.tsx'),
      route('my-orders', 'pages/my-orders.tsx'),
      route('my-reviews', 'pages/my-reviews.tsx'),
      route('batch', 'pages/batch.tsx'),
      route('batch/:id', 'pages/batch-placed.tsx'),
      route('payment', 'pages/payment-of-several.tsx'),
      route('payment/:id', 'pages/payment.tsx'),
      route('manage-orders', 'pages/manage-orders.tsx'),
      route('pick-list', 'pages/pick-list.tsx'),
      route('packing-slip/:id', 'pages/packing-slip.tsx'),
      route('manage-users', 'pages/manage-users.tsx'),
      route('customers/:email', 'pages/customer.tsx'),
      route('order/:id', 'pages/order.tsx'),
      route('activity', 'pages/activity.tsx'),
      route('mail', 'pages/mail.tsx'),
      route('mail/:id', 'pages/mail-preview.tsx'),
      route('add-product', 'pages/add-product.tsx'),
      route('manage-products', 'pages/manage-products.tsx'),
      route('manage-products/:id', 'pages/edit-part.tsx'),
      route('manage-products/:id/stock', 'pages/stock-ledger.tsx'),
      route('restock-csv', 'pages/restock-csv.tsx'),
    ]),
  ]),
  ...development,
  route('*', 'pages/not-found.tsx'),
] satisfies RouteConfig;
