import { themeScript } from '#app/layout/theme.ts';
import { accountScript } from '#app/session/account-attribute.ts';
import { listViewScript } from '#app/ui/list-view.ts';
import { replaySubmitScript } from './forms/replay-submit.ts';

/** Zod would try to compile its checks; the content security policy forbids it and reports the attempt. */
const zodScript = 'globalThis.__zod_globalConfig={jitless:true}';

/** Runs before the first paint and the first script. A constant, allowed by its hash. */
export const headScript = [themeScript, accountScript, listViewScript, replaySubmitScript, zodScript].join(
  ';',
);
