import { ended, startChild } from './child-processes.mjs';
import { node26 } from './node-26.mjs';
import { inProject, root } from './project.mjs';
import { asCommand } from './set-up.mjs';

// `npm run settings`: writes docs/settings.md and .env.example from the settings in the code.
await asCommand(() =>
  ended(
    startChild(node26(), [inProject('api', 'src', 'platform', 'core', 'config', 'write-documents.ts')], {
      cwd: root,
    }),
  ),
);
