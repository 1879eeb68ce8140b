import { MenuDrawer } from '#app/dashboard/menu-drawer.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { SideMenu } from '#app/dashboard/side-menu.tsx';
import { IdentityError } from '#app/http/errors.ts';
import { LoginForm } from '#app/identity/login-form.tsx';
import { SessionLoading } from '#app/identity/session-loading.tsx';
import { SignInLayout } from '#app/identity/sign-in-layout.tsx';
import { Counters } from '#app/layout/counters.tsx';
import { ErrorPage } from '#app/layout/error-page.tsx';
import { Footer } from '#app/layout/footer.tsx';
import { Hero } from '#app/layout/hero.tsx';
import { NewsletterAndContact } from '#app/layout/newsletter-and-contact.tsx';
import { NotFoundPage } from '#app/layout/not-found-page.tsx';
import { OfflineMessage } from '#app/layout/offline-banner.tsx';
import { LayerChain } from '#app/products/layer-chain.tsx';
import type { Example } from '../example.ts';
import { busy, failure, offline, product, requestId } from '../sample-data.ts';

const userMenu = {
  name: 'Amara Okafor',
  role: 'user',
  pathname: '/dashboard/my-orders',
  batchLines: 6,
} as const;
const administratorMenu = {
  name: 'Ines Carvalho',
  role: 'admin',
  pathname: '/dashboard/manage-users',
  batchLines: 0,
} as const;
const picture = { avif: product.image, webp: product.image, src: product.image };
const signIn = (error: Error | null, information?: string) => (
  <SignInLayout title="Login" error={error} information={information ?? null} picture={picture}>
    <LoginForm onSubmit={async () => {}} />
  </SignInLayout>
);

export const layout: readonly Example[] = [
  { name: 'OfflineBanner', render: () => <OfflineMessage /> },
  {
    name: 'SideMenu of a user',
    render: () => <SideMenu {...userMenu} />,
  },
  {
    name: 'SideMenu of an administrator',
    render: () => <SideMenu {...administratorMenu} />,
  },
  {
    name: 'MenuDrawer, below 1280 px',
    render: () => <MenuDrawer {...userMenu} />,
  },
  {
    name: 'PageHeading',
    render: () => <PageHeading title="Components" heading="My Orders" above="Manage Products" />,
  },
  { name: 'SessionLoading', render: () => <SessionLoading /> },
  { name: 'SignInLayout', render: () => signIn(null) },
  { name: 'SignInLayout with information', render: () => signIn(null, 'Your session has ended.') },
  {
    name: 'SignInLayout with an error',
    render: () =>
      signIn(new IdentityError('The sign-in service is not available at the moment.', { requestId })),
  },
  { name: 'ErrorPage: the shop failed', render: () => <ErrorPage error={failure} /> },
  { name: 'ErrorPage: the shop is busy', render: () => <ErrorPage error={busy} /> },
  { name: 'ErrorPage: no connection', render: () => <ErrorPage error={offline} /> },
  { name: 'NotFoundPage', render: () => <NotFoundPage /> },
  { name: 'Hero', render: () => <Hero chain={<LayerChain />} /> },
  { name: 'Counters', render: () => <Counters /> },
  { name: 'NewsletterAndContact', render: () => <NewsletterAndContact /> },
  { name: 'Footer', render: () => <Footer /> },
];
