import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The tests of one group, for `stryker.ts`. Stryker's own `testFiles` will not do: with it a mutant that is in place
// only while its module is loaded, such as one of a schema, is switched on too late and seems to survive.
const tests = (process.env.MUTATION_TESTS ?? '').split(',');
const needDatabase = tests.some((test) => test.endsWith('.api.test.ts'));
// What never ends is a mutant that was noticed, and need not be waited for long.
const timeoutMs = needDatabase ? 20_000 : 5_000;

/**
 * As the group lists them: the file that holds an act at its edges comes first, and most mutants need no other. Vitest
 * would begin with the longest.
 */
class AsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => tests.findIndex((test) => moduleId.endsWith(test));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: tests,
    // The files that try a mutant share the shop's modules, which take longer to load than most of them to run.
    isolate: !needDatabase,
    sequence: { sequencer: AsListed },
    globalSetup: needDatabase ? ['api/test/throw-away-postgres.ts'] : [],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
});
