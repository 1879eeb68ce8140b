import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { subsetFonts } from './subset-fonts.ts';

export default defineConfig(async () => {
  await subsetFonts();
  return {
    plugins: [tailwindcss(), reactRouter()],
    build: {
      // A picture or font inside the style sheet would need `data:` in the policy of every page.
      assetsInlineLimit: 0,
      rolldownOptions: {
        // The contract's schemas are made at module level: without this a page that only cuts a description
        // to 90 characters would load the whole validation library (measured: 14 kB).
        treeshake: { manualPureFunctions: ['z', 'text', 'defineCall'] },
      },
    },
  };
});
