import { expect, test } from 'vitest';
import { run } from '#test/processes.ts';

/** What a shop loads, from its start to the page of its calls. */
const modules = [
  'process/run-shop.ts',
  'process/prepare-database.ts',
  'process/open-shop.ts',
  'process/supervise-workers.ts',
  'identity/embedded/better-auth.ts',
  'platform/jobs/run-jobs.ts',
  'platform/http/docs/docs-page.ts',
  'jobs.ts',
];

/** Loads them in a process of its own. @returns the address and kind of every file that Node was asked for */
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

test('the files that are found sooner are those that Node finds, and of the same kind', async () => {
  const [sooner, byNode] = await Promise.all([listLoaded('resolveSooner();'), listLoaded('')]);
  expect(byNode.length).toBeGreaterThan(900);
  expect(sooner).toEqual(byNode);
});
