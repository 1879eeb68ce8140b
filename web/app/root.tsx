import { shopCurrency } from '@parts-forge/contract/money/currency';
import type { PageConfig } from '@parts-forge/contract/people/identity';
import type { ReactNode } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches } from 'react-router';
import monaSans from '../.cache/fonts/mona-sans.woff2?url';
import plexSans from '../.cache/fonts/plex-sans.woff2?url';
import type { Route } from './+types/root';
import './app.css';
import { headScript } from './head-script.ts';
import { ErrorPage } from './layout/error-page.tsx';
import { Shell } from './layout/shell.tsx';
import { type ServerContext, serverContext } from './server-context.ts';
import { FIREBASE_PROJECT } from './session/firebase-project.ts';
import { type PageSettings, unknownSettings, usePageSettings } from './ui/shop.tsx';

/** What a route says about its page in `handle`. */
export interface PageHandle {
  /** `bench` is the dashboard's grey background. */
  ground?: 'sheet' | 'bench';
  /** Query parameters that affect the server's render; the server drops all others. */
  query?: readonly string[];
}

export const links: Route.LinksFunction = () => [
  ...[monaSans, plexSans].map((href) => ({
    rel: 'preload',
    as: 'font',
    type: 'font/woff2',
    href,
    crossOrigin: 'anonymous' as const,
  })),
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon-32.png', type: 'image/png', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

/** The data is constant while the page is open. */
export const shouldRevalidate = () => false;

export async function loader({ context }: Route.LoaderArgs) {
  const { call, origin } = context.get(serverContext);
  return { origin, ...(await readSettings(call)) };
}

export function Layout({ children }: { children: ReactNode }) {
  const { firebase, shop } = usePageSettings();
  const bench = useMatches().some((match) => (match.handle as PageHandle | undefined)?.ground === 'bench');
  return (
    // The head's script sets the theme before hydration.
    <html lang="en" data-theme="light" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, allowed by its hash. */}
        <script dangerouslySetInnerHTML={{ __html: headScript }} />
        <meta name="currency" content={shopCurrency().code} />
        <meta name="theme-color" content="#1d2228" />
        {firebase && <meta name={FIREBASE_PROJECT} content={JSON.stringify(firebase)} />}
        <Meta />
        <Links />
        {shop.accent && <link rel="stylesheet" href={shop.accent.styles} />}
      </head>
      <body className={`${bench ? 'bg-base-200' : 'bg-base-100'} flex min-h-dvh flex-col`}>
        <Shell>{children}</Shell>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** After a failure there are no sign-in options, and only the original pictures. */
async function readSettings(call: ServerContext['call']): Promise<PageSettings> {
  const response = await call('/config');
  if (!response.ok) return unknownSettings;
  const { identity, images, contactEmail, shop, seller, wishes, taxPercent }: PageConfig =
    await response.json();
  return {
    selfService: identity.selfService,
    google: identity.google,
    firebase: identity.firebase ?? null,
    pictureWidths: images.widths,
    contactEmail,
    mail: identity.mail,
    wishes,
    taxPercent,
    shop,
    seller: seller ?? { name: shop.name, address: shop.address },
  };
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />;
}
