import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { namePublicSources } from './public-sources.ts';
import { subsetFonts } from './subset-fonts.ts';

/** What every page shows, and what several public pages show. What these import comes along. */
const shell = [
  'layout/shell.tsx',
  'layout/error-page.tsx',
  'identity/account-menu.tsx',
  'identity/self-service.ts',
  'session/session.ts',
  'errors/revalidate-notice.tsx',
  'products/product-card.tsx',
  'ui/button.tsx',
  'ui/notice.tsx',
  'ui/skeleton.tsx',
  'ui/stars.tsx',
  'ui/status-chip.tsx',
  'ui/use-focus-after-last-page.ts',
  'ui/use-skeleton.ts',
  'calls/list-page.ts',
  'pages/page-meta.ts',
  'ui/search-text.ts',
];

/**
 * Without these the build makes a file of every handful of lines that two pages share: 45 requests for the first
 * one. The framework changes rarely and stays cached; the shell is one file; forms and queries come with the pages
 * that need them.
 */
const chunks = [
  { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 3 },
  { name: 'rules', test: /node_modules\/zod\//, priority: 2 },
  { name: 'forms', test: /node_modules\/(react-hook-form|@hookform)\//, priority: 2 },
  { name: 'queries', test: /node_modules\/@tanstack\//, priority: 2 },
  { name: 'shell', test: matchFiles(shell), priority: 1 },
];

export default defineConfig(async ({ command }) => {
  await subsetFonts();
  await namePublicSources(command === 'build');
  return {
    plugins: [tailwindcss(), reactRouter()],
    // The server loads its pages as a few files with what they use of their packages: of the icons alone, for
    // example, the package has 1,600.
    ...(command === 'build' && { ssr: { noExternal: true as const } }),
    build: {
      // A picture or font inside the style sheet would need `data:` in the policy of every page.
      assetsInlineLimit: 0,
      rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
    },
  };
});

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
