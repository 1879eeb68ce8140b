import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { compressFolder } from './compress-folder.ts';
import { namePublicSources } from './public-sources.ts';
import { subsetFonts } from './subset-fonts.ts';

/** What every page shows, and what several public pages show. What these import comes along. */
const shell = [
  'layout/shell.tsx',
  'layout/error-page.tsx',
  'identity/account-menu.tsx',
  'identity/contact.ts',
  'identity/self-service.ts',
  'session/session.ts',
  'errors/revalidate-notice.tsx',
  'products/product-card.tsx',
  'ui/button.tsx',
  'ui/field.tsx',
  'ui/notice.tsx',
  'ui/skeleton.tsx',
  'ui/stars.tsx',
  'ui/status-chip.tsx',
  'ui/use-focus-after-last-page.ts',
  'ui/use-skeleton.ts',
  'calls/list-page.ts',
  'pages/page-meta.ts',
  'ui/search-text.ts',
  '../../node_modules/lucide/dist/esm/icons/arrow-right.mjs',
  '../../node_modules/lucide/dist/esm/icons/lock.mjs',
];

/** What these import comes along unless it is listed before them. */
const calls = [
  'calls/api-client.ts',
  '../../contract/src/call.ts',
  '../../contract/src/identity.ts',
  '../../contract/src/policies.ts',
  '../../contract/src/text.ts',
];
const messages = ['session/return-path.ts', '../../contract/src/messages.ts'];

/** What most pages of who is signed in share, and no other page. What these import comes along. */
const signedIn = [
  'calls/list-query.ts',
  'calls/query-client.ts',
  'calls/shop-config.ts',
  'calls/use-idempotency-key.ts',
  'dashboard/list-footer.tsx',
  'dashboard/page-heading.tsx',
  'dashboard/page-policies.ts',
  'dashboard/paged-list.tsx',
  'dashboard/use-row-notices.tsx',
  'errors/load-error.tsx',
  'errors/retry-button.tsx',
  'forms/show-field-errors.ts',
  'forms/use-draft.ts',
  'identity/guards.ts',
  'identity/signed-in-user.ts',
  'orders/order-money.tsx',
  'orders/order-path.ts',
  'orders/order-status-chip.tsx',
  'downloads/download-button.tsx',
  'products/product-cell.tsx',
  'products/product-paths.ts',
  'ui/dialog.tsx',
  'ui/email-text.tsx',
  'ui/format-day.ts',
  'ui/format-moment.ts',
  'ui/panel.tsx',
  'ui/save-file.ts',
  'ui/table-skeleton.tsx',
  'ui/table.tsx',
  'users/queries.ts',
  '../../contract/src/idempotency-key.ts',
  '../../contract/src/mail-kinds.ts',
  '../../contract/src/order-states.ts',
  '../../contract/src/orders.ts',
  '../../contract/src/paging.ts',
  '../../contract/src/reviews.ts',
  '../../contract/src/trail-events.ts',
  '../../contract/src/trail.ts',
  '../../contract/src/users.ts',
  '../../node_modules/lucide/dist/esm/icons/chevron-left.mjs',
  '../../node_modules/lucide/dist/esm/icons/clock.mjs',
  '../../node_modules/lucide/dist/esm/icons/download.mjs',
  '../../node_modules/lucide/dist/esm/icons/package.mjs',
  '../../node_modules/lucide/dist/esm/icons/upload.mjs',
  '../../node_modules/lucide/dist/esm/icons/clipboard-list.mjs',
];

/**
 * Without these the build makes a file of every handful of lines that two pages share: 45 requests for the first
 * one. The framework changes rarely and stays cached; the shell is one file, and what signed-in pages share is another;
 * forms and queries come with the pages that need them.
 *
 * The build's own rules were measured (2026-11-25, JavaScript of the first load of /): without lists 124 kB in 50 files,
 * by `minShareCount` 153 kB in 29, by `entriesAware` 225 kB in 28, the shell by its folder 151 kB in 20; with these lists
 * 116 kB in 11. They count signed-in pages, too, so what these share comes along.
 */
const chunks = [
  { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 5 },
  { name: 'rules', test: /node_modules\/zod\//, priority: 4 },
  { name: 'forms', test: /node_modules\/(react-hook-form|@hookform)\//, priority: 4 },
  { name: 'queries', test: /node_modules\/@tanstack\//, priority: 4 },
  { name: 'shell', test: matchFiles(shell), priority: 3 },
  { name: 'messages', test: matchFiles(messages), priority: 2 },
  { name: 'calls', test: matchFiles(calls), priority: 2 },
  { name: 'signed-in', test: matchFiles(signedIn), priority: 1 },
];

const hashCharacters = 'base36' as const;
const nameByHash = { entryFileNames: 'assets/[hash].js', chunkFileNames: 'assets/[hash].js' };

export default defineConfig(async ({ command }) => {
  await subsetFonts();
  await namePublicSources(command === 'build');
  return {
    plugins: [tailwindcss(), reactRouter(), compressEarly()],
    // The server loads its pages as a few files with what they use of their packages: of the icons alone, for
    // example, the package has 1,600.
    ...(command === 'build' && { ssr: { noExternal: true as const } }),
    build: {
      // A picture or font inside the style sheet would need `data:` in the policy of every page.
      assetsInlineLimit: 0,
      // Of the server's build, too: its pages name the fonts and pictures that the browser's build has written.
      rolldownOptions: {
        output: { codeSplitting: { groups: chunks }, hashCharacters },
        // Of the icons' package 1,600 files are never read then.
        experimental: { lazyBarrel: true },
      },
      reportCompressedSize: false,
    },
    // Every page knows all files by name (`routeDiscovery`): with words in them the first load was 1.4 kB larger.
    environments: { client: { build: { rolldownOptions: { output: nameByHash } } } },
  };
});

/** Compresses the browser's files on a free core while the server's are built; `react-router.config.ts` does the rest. */
function compressEarly(): Plugin {
  let compressed: Promise<void> | undefined;
  return {
    name: 'compress-early',
    apply: 'build',
    writeBundle({ dir }) {
      if (this.environment.name === 'client' && dir) compressed = compressFolder(dir);
    },
    async closeBundle() {
      if (this.environment.name === 'ssr') await compressed;
    },
  };
}

/**
 * Matches modules of the app by their paths.
 * @throws Error for a path that names no file, so that renaming one cannot quietly take it out of its chunk
 */
function matchFiles(paths: readonly string[]): (id: string) => boolean {
  const app = join(import.meta.dirname, 'app');
  const files = new Set(paths.map((path) => join(app, path)));
  const missing = [...files].filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`vite.config.ts names files that are not there: ${missing.join(', ')}`);
  return (id) => files.has(id.split('?')[0] ?? id);
}
