import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { subsetFonts } from './subset-fonts.ts';

/**
 * Without these the build makes a file of every handful of lines that two pages share: 45 requests for the first
 * one. The framework changes rarely and stays cached; the shell and what several public pages show is one file;
 * forms and queries come with the pages that need them.
 */
const chunks = [
  { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 3 },
  { name: 'forms', test: /node_modules\/(zod|react-hook-form|@hookform)\//, priority: 2 },
  { name: 'queries', test: /node_modules\/@tanstack\//, priority: 2 },
  {
    name: 'shell',
    test: /web\/app\/(layout\/(shell|failed-page)|ui\/(button|notice|status-chip|skeleton|stars)|page-meta|list-of|products\/product-card|identity\/(account-menu|session))\.tsx?$/,
    priority: 1,
  },
];

export default defineConfig(async () => {
  await subsetFonts();
  return {
    plugins: [tailwindcss(), reactRouter()],
    build: {
      // A picture or font inside the style sheet would need `data:` in the policy of every page.
      assetsInlineLimit: 0,
      rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
    },
  };
});
