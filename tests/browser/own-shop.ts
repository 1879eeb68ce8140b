import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** With its own data. @returns ends it */
export function startOwnShop(port: number, env: Record<string, string>): () => Promise<void> {
  const shop = spawn(process.execPath, ['scripts/throw-away-shop.mjs'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(port), RATE_LIMITS: 'off', ...env },
  });
  return async () => {
    shop.kill('SIGTERM');
    await once(shop, 'exit');
  };
}
