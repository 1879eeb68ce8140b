import { buildPages } from './build-pages.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run build`: the pages, even when nothing seems to have changed.
await asCommand(async () => {
  await setUp({ build: false });
  await buildPages({ force: true });
  return 0;
});
