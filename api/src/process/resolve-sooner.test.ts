import { expect, test } from 'vitest';
import { run } from '#test/processes.ts';

/** The modules that a shop, up to its API documentation page, and its commands load. */
const modules = [
  'process/run-shop.ts',
  'process/prepare-database.ts',
  'process/open-shop.ts',
  'process/supervise-workers.ts',
  'identity/embedded/better-auth.ts',
  'platform/jobs/run-jobs.ts',
  'platform/http/docs/docs-page.ts',
  'jobs.ts',
  'backup/back-up-shop.ts',
  'backup/move-shop.ts',
  'backup/restore-shop.ts',
  'images/move-pictures.ts',
  'process/backup-command.ts',
  'process/examine-settings.ts',
];

/** Loads the modules in a new process. @returns address and format of every file that Node loads */
async function listLoaded(prepare: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const { resolveSooner } = await import(${JSON.stringify(new URL('resolve-sooner.ts', import.meta.url).href)});
    ${prepare}
    const loaded = new Set();
    registerHooks({ load(url, context, next) { loaded.add(url + ' ' + context.format); return next(url, context); } });
    for (const url of ${JSON.stringify(modules.map((name) => new URL(`../${name}`, import.meta.url).href))}) await import(url);
    console.log([...loaded].sort().join('\\n'));
    process.exit(0);`;
  const child = run(['--input-type=module', '-e', script], {});
  expect(await child.ended, child.said()).toBe(0);
  return child.said().trim().split('\n');
}

test('resolveSooner finds the same files and formats as Node', async () => {
  const [sooner, byNode] = await Promise.all([listLoaded('resolveSooner();'), listLoaded('')]);
  expect(byNode.length).toBeGreaterThan(900);
  expect(sooner).toEqual(byNode);
});
