import { quotePattern, relativePath, shorten, sum, writeResults } from './test-results.mjs';

/** Vitest's projects in the last lines. */
const partNames = { units: 'unit', web: 'page' };

/** Vitest's own JSON lacks a file's project, loading times and errors outside tests. */
export default class VitestReport {
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
    const files = modules.map(({ id, moduleId, project }) => ({
      path: relativePath(moduleId),
      project: project.name,
      from: this.#startedAt.get(id) ?? now,
      to: this.#endedAt.get(id) ?? now,
    }));
    writeResults({
      passed: sum(modules, ({ children }) => [...children.allTests('passed')].length),
      failures: [
        ...modules.flatMap(listFailures),
        ...errors.map(({ message }) => ({ message: shorten(message) })),
      ],
      parts: [...Map.groupBy(files, ({ project }) => project)].map(([name, files]) => ({
        name: partNames[name] ?? name,
        // Projects overlap.
        seconds: (Math.max(...files.map(({ to }) => to)) - Math.min(...files.map(({ from }) => from))) / 1000,
      })),
      files: files.map(({ path, from, to }) => ({ path, seconds: (to - from) / 1000 })),
    });
  }
}

/** Failures without a title belong to the file. */
function listFailures(module) {
  const path = relativePath(module.moduleId);
  const describe = ({ message }, title) => ({
    name: title ? `${path} › ${title}` : path,
    message: shorten(message),
    alone: title ? `${path} -t ${quotePattern(title)}` : path,
  });
  const all = [
    ...[...module.children.allTests('failed')].map((test) =>
      describe(test.result().errors?.[0] ?? {}, test.fullName),
    ),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => describe(error, suite.fullName)),
    ),
    ...module.errors().map((error) => describe(error)),
  ];
  const isUnfinished = ['queued', 'pending', 'failed'].includes(module.state());
  return all.length === 0 && isUnfinished ? [describe({ message: 'did not end' })] : all;
}
