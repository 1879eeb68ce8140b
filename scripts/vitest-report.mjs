import { writeFileSync } from 'node:fs';

/**
 * A reporter for Vitest that writes what `test-results.mjs` reads into the file that TEST_REPORT_FILE names. Vitest's
 * own JSON names neither a file's project nor the time that loading took.
 */
export default class TestReport {
  #startedAt = new Map();
  #endedAt = new Map();

  onTestModuleQueued({ id }) {
    this.#startedAt.set(id, Date.now());
  }

  onTestModuleEnd({ id }) {
    this.#endedAt.set(id, Date.now());
  }

  onTestRunEnd(modules, errors) {
    const now = Date.now();
    const files = modules.map((module) => ({
      path: module.moduleId,
      project: module.project.name,
      startedAt: this.#startedAt.get(module.id) ?? now,
      endedAt: this.#endedAt.get(module.id) ?? now,
      passed: [...module.children.allTests('passed')].length,
      failures: listFailures(module),
    }));
    const report = { files, errors: errors.map(({ message }) => message) };
    writeFileSync(process.env.TEST_REPORT_FILE, JSON.stringify(report));
  }
}

/** Tests, hooks of suites, and the file itself; a failure without a title is of the whole file. */
function listFailures(module) {
  const tests = [...module.children.allTests('failed')].map((test) => ({
    title: test.fullName,
    message: test.result().errors?.[0]?.message,
  }));
  const suites = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map(({ message }) => ({ title: suite.fullName, message })),
  );
  const own = module.errors().map(({ message }) => ({ message }));
  const all = [...tests, ...suites, ...own];
  const isUnfinished = ['queued', 'pending', 'failed'].includes(module.state());
  return all.length === 0 && isUnfinished ? [{ message: 'did not end' }] : all;
}
