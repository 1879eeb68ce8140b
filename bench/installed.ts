import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run-program.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const workspaces = ['.', 'api', 'contract', 'web', 'packages/card-sandbox', 'packages/embedded-postgres'];
