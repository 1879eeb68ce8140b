import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { subsetFonts } from './subset-fonts.ts';

/**
 * Without these the build makes a file of every handful of lines that two pages share: 45 requests for the first
 * one. The framework changes rarely and stays cached; the rest is joined by the pages that use it.
 */
const chunks = [
  { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 2 },
  { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 24_000, priority: 1 },
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
