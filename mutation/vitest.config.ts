import { defineConfig } from 'vitest/config';

// The tests of one group, for `stryker.ts`. Stryker's own `testFiles` will not do: with it a mutant that is in place
// only while its module is loaded, such as one of a schema, is switched on too late and seems to survive.
const tests = (process.env.MUTATION_TESTS ?? '').split(',');
const needDatabase = tests.some((test) => test.endsWith('.api.test.ts'));
// What never ends is a mutant that was noticed, and need not be waited for long.
const timeoutMs = needDatabase ? 20_000 : 5_000;

export default defineConfig({
  test: {
    include: tests,
    // The files that try a mutant share the shop's modules, which take longer to load than most of them to run.
    isolate: !needDatabase,
    globalSetup: needDatabase ? ['api/test/throw-away-postgres.ts'] : [],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
});
