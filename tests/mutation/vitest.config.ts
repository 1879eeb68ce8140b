import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// For `run.ts`. Stryker's own `testFiles` activates mutants after modules have loaded, so mutants of schemas
// would survive.
const tests = (process.env.MUTATION_TESTS ?? '').split(',');
const needDatabase = tests.some((test) => /\.(api|slow)\.test\.ts$/.test(test));
// Endless loops count as killed.
const timeoutMs = needDatabase ? 20_000 : 5_000;

/** The group's order: the first file kills most mutants. Vitest would start with the longest. */
class AsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => tests.findIndex((test) => moduleId.endsWith(test));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: tests,
    // Modules load longer than most files run.
    isolate: !needDatabase,
    sequence: { sequencer: AsListed },
    globalSetup: needDatabase ? ['api/test/throw-away-postgres.ts'] : [],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
});
