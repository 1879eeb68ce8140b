import { themeScript } from '#app/layout/theme.ts';
import { accountScript } from '#app/session/account-attribute.ts';
import { replaySubmitScript } from './forms/replay-submit.ts';

/** The validation library would try to compile its checks; the policy of our pages forbids it and reports the attempt. */
const zodScript = 'globalThis.__zod_globalConfig={jitless:true}';

/** What must be done before the first paint or the first script. A constant, allowed by its hash. */
export const headScript = [themeScript, accountScript, replaySubmitScript, zodScript].join(';');
