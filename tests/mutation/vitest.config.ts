import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Tests of one group, for `stryker.ts`. Stryker's own `testFiles` activates mutants too late for module
// loading, so mutants of schemas would survive.
const tests = (process.env.MUTATION_TESTS ?? '').split(',');
const needDatabase = tests.some((test) => test.endsWith('.api.test.ts'));
// Endless loops count as killed; short timeouts save time.
const timeoutMs = needDatabase ? 20_000 : 5_000;

/**
 * Runs tests in the group's order: the first file kills most mutants. Vitest would start with the longest.
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
    // Files share the shop's modules, which load longer than most files run.
    isolate: !needDatabase,
    sequence: { sequencer: AsListed },
    globalSetup: needDatabase ? ['api/test/throw-away-postgres.ts'] : [],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
});
