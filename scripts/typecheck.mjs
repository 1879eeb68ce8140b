import { checkTypes } from './check-types.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run typecheck`: the types of every workspace.
await asCommand(async () => {
  await setUp({ build: false, tools: true });
  const checks = await checkTypes();
  return checks.every(({ status }) => status === 0) ? 0 : 1;
});
