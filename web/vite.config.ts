import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import routes from './app/routes.ts';
import { compressFolder } from './compress-folder.ts';
import { namePublicSources } from './public-sources.ts';
import { subsetFonts } from './subset-fonts.ts';

const rules = (...names: string[]) => names.map((name) => `../../contract/src/${name}.ts`);
const icons = (...names: string[]) =>
  names.map((name) => `../../node_modules/lucide/dist/esm/icons/${name}.mjs`);

/** Modules of all or several public pages, with their imports. */
const shell = [
  'layout/shell.tsx',
  'layout/error-page.tsx',
  'identity/account-menu.tsx',
  'ui/browser-storage.ts',
  'ui/create-id.ts',
  'session/session.ts',
  'errors/revalidate-notice.tsx',
  'forms/replay-submit.ts',
  'products/product-card.tsx',
  'ui/button.tsx',
  'ui/field.tsx',
  'ui/list-view.ts',
  'ui/notice.tsx',
  'ui/skeleton.tsx',
  'ui/stars.tsx',
  'ui/status-chip.tsx',
  'ui/use-focus-after-last-page.ts',
  'ui/use-modal.ts',
  'ui/use-skeleton.ts',
  'calls/list-page.ts',
  'pages/page-meta.ts',
  'ui/search-text.ts',
  'ui/shop.tsx',
  ...icons('arrow-right', 'lock'),
];

/** With their imports, unless listed above. */
const calls = [
  'calls/api-client.ts',
  ...rules('calls/call', 'people/identity', 'calls/policies', 'text/text'),
];
const messages = ['session/return-path.ts', ...rules('calls/messages')];
/** Every page with a form loads these. */
const forms = ['forms/defer-blur.ts', 'forms/use-single-flight.ts', 'ui/banner.tsx'];
/** The public page of a part loads these, and little else. */
const part = ['products/thumbnail.tsx', 'ui/signed.ts', ...rules('files/number-text', 'orders/quantity')];

/** Shared by most signed-in pages only, with their imports. */
const signedIn = [
  'calls/list-query.ts',
  'calls/query-client.ts',
  'calls/retry-with-fresh-proof.ts',
  'calls/shop-config.ts',
  'calls/use-change.ts',
  'calls/use-idempotency-key.ts',
  'calls/use-sent-once.ts',
  'dashboard/list-footer.tsx',
  'dashboard/no-match.tsx',
  'dashboard/page-heading.tsx',
  'dashboard/page-policies.ts',
  'dashboard/paged-list.tsx',
  'dashboard/use-row-notices.tsx',
  'dashboard/use-search-text.ts',
  'downloads/download-button.tsx',
  'errors/load-error.tsx',
  'errors/retry-button.tsx',
  'errors/retry-notice.tsx',
  'forms/show-field-errors.ts',
  'forms/use-draft.ts',
  'identity/guards.ts',
  'identity/signed-in-user.ts',
  'orders/money/order-money.tsx',
  'orders/order-path.ts',
  'orders/states/order-status-chip.tsx',
  'orders/money/sum-orders.ts',
  'products/product-cell.tsx',
  'products/product-paths.ts',
  'ui/choice.tsx',
  'ui/day-input.tsx',
  'ui/dialog.tsx',
  'ui/email-text.tsx',
  'ui/fact.tsx',
  'ui/file-label.tsx',
  'ui/format-day.ts',
  'ui/format-moment.ts',
  'ui/panel.tsx',
  'ui/primary-link.tsx',
  'ui/save-file.ts',
  'ui/table.tsx',
  'ui/use-focus-on-step.ts',
  'ui/work-skeleton.tsx',
  'users/queries.ts',
  ...rules(
    'text/days',
    'calls/idempotency-key',
    'events/mail-kinds',
    'orders/order-states',
    'orders/orders',
    'calls/paging',
    'products/reviews',
    'events/trail-events',
    'events/trail',
    'people/users',
  ),
  ...icons(
    'boxes',
    'chevron-down',
    'chevron-left',
    'clipboard-list',
    'clock',
    'download',
    'file-spreadsheet',
    'file-text',
    'package',
    'package-plus',
    'printer',
    'rotate-ccw-clock',
    'shield-check',
    'upload',
  ),
];

/**
 * Without these lists the first page needs 45 requests: the build emits a file for every few shared lines.
 * The framework changes rarely and stays cached.
 *
 * JavaScript of the first load of / (2026-11-25): no lists 124 kB in 50 files, `minShareCount` 153 kB in 29,
 * `entriesAware` 225 kB in 28, shell by folder 151 kB in 20; these lists 116 kB in 11.
 */
const chunks = [
  { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 5 },
  { name: 'rules', test: /node_modules\/zod\//, priority: 4 },
  { name: 'forms', test: /node_modules\/(react-hook-form|@hookform)\//, priority: 4 },
  { name: 'queries', test: /node_modules\/@tanstack\//, priority: 4 },
  { name: 'shell', test: matchFiles(shell), priority: 3 },
  { name: 'messages', test: matchFiles(messages), priority: 2 },
  { name: 'page-forms', test: matchFiles(forms), priority: 2 },
  { name: 'part', test: matchFiles(part), priority: 2 },
  { name: 'calls', test: matchFiles(calls), priority: 2 },
  { name: 'signed-in', test: matchFiles(signedIn), priority: 1 },
];

const hashCharacters = 'hex' as const;
const nameByHash = { entryFileNames: 'assets/[hash:7].js', chunkFileNames: 'assets/[hash:7].js' };

export default defineConfig(async ({ command }) => {
  await subsetFonts();
  await namePublicSources(command === 'build');
  return {
    plugins: [tailwindcss(), reactRouter(), compressEarly(), guardVisitors()],
    // Bundles only the used parts of packages: the icons alone have 1,600 files.
    ...(command === 'build' && { ssr: { noExternal: true as const } }),
    build: {
      // Inlined pictures and fonts would need `data:` in every page's policy.
      assetsInlineLimit: 0,
      // Also for the server: its pages name files of the browser's build.
      rolldownOptions: {
        output: { codeSplitting: { groups: chunks }, hashCharacters },
        // Skips reading 1,600 files of the icons' package.
        experimental: { lazyBarrel: true },
      },
      reportCompressedSize: false,
    },
    // `routeDiscovery` lists all files on every page: longer names added 1.4 kB to the first load.
    environments: { client: { build: { rolldownOptions: { output: nameByHash } } } },
  };
});

/** Runs while the server's files are built; `react-router.config.ts` compresses the rest. */
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

/** Fails the build when a page of visitors needs a chunk of signed-in pages: that once added 50 kB to a part's. */
function guardVisitors(): Plugin {
  const pages = routes.flatMap(({ file, children }) =>
    children ? [] : join(import.meta.dirname, 'app', file),
  );
  return {
    name: 'guard-visitors',
    apply: 'build',
    generateBundle(_, bundle) {
      if (this.environment.name !== 'client') return;
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
      const loaded = new Set(
        chunks.filter(({ facadeModuleId }) => pages.includes(facadeModuleId?.split('?')[0] ?? '')),
      );
      // Also visits what it adds.
      for (const { name, imports } of loaded) {
        for (const chunk of chunks.filter(({ fileName }) => imports.includes(fileName))) {
          if (['signed-in', 'queries'].includes(chunk.name))
            this.error(`Visitors would load code of signed-in pages: "${name}" imports "${chunk.name}".`);
          loaded.add(chunk);
        }
      }
    },
  };
}

/** @throws Error for a missing file, so that renaming one cannot silently remove it from its chunk */
function matchFiles(paths: readonly string[]): (id: string) => boolean {
  const app = join(import.meta.dirname, 'app');
  const files = new Set(paths.map((path) => join(app, path)));
  const missing = [...files].filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`vite.config.ts names files that are not there: ${missing.join(', ')}`);
  return (id) => files.has(id.split('?')[0] ?? id);
}
