import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { index, layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes';

const written = (file: string, entry: RouteConfigEntry): RouteConfigEntry[] =>
  existsSync(join(import.meta.dirname, file)) ? [entry] : [];
const page = (path: string, file: string) => written(file, route(path, file));

/** Every address of the shop (specification §2). The calls live beside them and are not listed here. */
export default [
  index('pages/home.tsx'),
  ...page('blogs', 'pages/blogs.tsx'),
  ...page('portfolio', 'pages/portfolio.tsx'),
  ...page('all-products', 'pages/all-products.tsx'),
  ...page('login', 'pages/login.tsx'),
  ...page('register', 'pages/register.tsx'),
  ...written(
    'pages/guard.tsx',
    layout('pages/guard.tsx', [
      ...page('purchase/:id', 'pages/purchase.tsx'),
      ...written(
        'pages/dashboard.tsx',
        route('dashboard', 'pages/dashboard.tsx', [
          ...written('pages/dashboard-index.tsx', index('pages/dashboard-index.tsx')),
          ...page('my-profile', 'pages/my-profile.tsx'),
          ...page('my-orders', 'pages/my-orders.tsx'),
          ...page('my-reviews', 'pages/my-reviews.tsx'),
          ...page('payment/:id', 'pages/payment.tsx'),
          ...page('manage-orders', 'pages/manage-orders.tsx'),
          ...page('manage-users', 'pages/manage-users.tsx'),
          ...page('add-product', 'pages/add-product.tsx'),
          ...page('manage-products', 'pages/manage-products.tsx'),
        ]),
      ),
    ]),
  ),
  ...page('*', 'pages/not-found.tsx'),
] satisfies RouteConfig;
