import { createRequire } from 'node:module';
import { freePort } from '@parts-forge/embedded-postgres/free-port';

interface Emulator {
  start(): Promise<void>;
  stop(): Promise<void>;
}
type EmulatorClass = new (options: { projectId: string; host: string; port: number }) => Emulator;

/** Firebase lacks these. */
export interface AuthEmulator {
  url: URL;
  stop(): Promise<void>;
}

/**
 * In this process, which avoids the launcher's network checks. Like new Firebase projects it hides whether an
 * address has an account.
 */
export async function startAuthEmulator(projectId: string): Promise<AuthEmulator> {
  const require = createRequire(import.meta.url);
  const { AuthEmulator: Emulator } = require('firebase-tools/lib/emulator/auth/index.js') as {
    AuthEmulator: EmulatorClass;
  };
  const port = await freePort();
  const emulator = new Emulator({ projectId, host: '127.0.0.1', port });
  await emulator.start();
  const url = new URL(`http://127.0.0.1:${port}`);
  const config = `/identitytoolkit.googleapis.com/v2/projects/${projectId}/config?updateMask=emailPrivacyConfig`;
  const response = await fetch(new URL(config, url), {
    method: 'PATCH',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify({ emailPrivacyConfig: { enableImprovedEmailPrivacy: true } }),
  });
  if (!response.ok) throw new Error(`The emulator refused its settings: ${await response.text()}`);
  return { url, stop: () => emulator.stop() };
}
