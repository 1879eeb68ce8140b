import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { droppableSchemas } from './droppable-schemas.ts';
import { subsetFonts } from './subset-fonts.ts';

export default defineConfig(async () => {
  await subsetFonts();
  return {
    plugins: [tailwindcss(), reactRouter(), droppableSchemas()],
    // A picture or font inside the style sheet would need `data:` in the policy of every page.
    build: { assetsInlineLimit: 0 },
  };
});
