import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, startChild } from './child-processes.mjs';
import { node26 } from './node-26.mjs';
import { inProject, root } from './project.mjs';

// Not in production mode, so that SANDBOX_CONTROL may be set.
const dataDir = mkdtempSync(join(tmpdir(), 'parts-forge-shop-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const { DATABASE_URL, ...environment } = process.env;
const shop = startChild(node26(), [inProject('api', 'src', 'process', 'main.ts')], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  env: { NODE_ENV: 'test', LOG_LEVEL: 'warn', SEED: 'catalogue', ...environment, DATA_DIR: dataDir },
});
process.exitCode = await ended(shop);
