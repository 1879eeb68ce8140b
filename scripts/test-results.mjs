import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './project.mjs';

/**
 * What a runner or a check came to: how many tests passed, and one line for each that failed.
 * @typedef {{ passed: number, failures: string[] }} Results
 */

/**
 * The end of every test command: what failed, by name and with the beginning of its message, because of a long log often
 * nothing but the end is left; then the sum.
 */
export function closingLines(results) {
  const failures = results.flatMap(({ failures }) => failures);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const names = failures.map((failure) => `Failed: ${failure.replaceAll(/\s+/g, ' ')}`);
  return [...names, `${passed} passed, ${failures.length} failed`];
}

/** One check, such as the format, counts as one test. */
export function readCheck({ name, status }) {
  return status === 0 ? { passed: 1, failures: [] } : { passed: 0, failures: [name] };
}

/** @param title what the lines about failures begin with: the same tests run on more than one database */
export function readVitestReport(title, reportFile, status) {
  const report = read(reportFile);
  if (!report) return loseReport(title);
  const failures = report.testResults.flatMap(listVitestFailures);
  return withStatus({ passed: report.numPassedTests, failures }, title, status);
}

/** A file that could not even be loaded has no tests, so it counts as one that failed. */
function listVitestFailures({ name, status, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter((result) => result.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [file];
  return failed.map(({ ancestorTitles, title, failureMessages }) =>
    describeFailure([file, ...ancestorTitles, title], failureMessages[0]),
  );
}

export function readPlaywrightReport(title, reportFile, status) {
  const report = read(reportFile);
  if (!report) return loseReport(title);
  const failures = report.suites.flatMap((suite) => listPlaywrightFailures(suite, report.config.rootDir));
  const errors = failures.length === 0 ? (report.errors ?? []).map(({ message }) => message) : [];
  return withStatus({ passed: report.stats.expected, failures: [...failures, ...errors] }, title, status);
}

/** A story that passes only now and then has failed. */
function listPlaywrightFailures({ specs = [], suites = [] }, directory, titles = []) {
  const failed = specs.flatMap((spec) => {
    const file = relative(root, join(directory, spec.file));
    return spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, results }) =>
        describeFailure([file, ...titles, spec.title, projectName], results.at(-1)?.error?.message),
      );
  });
  const nested = suites.flatMap((suite) =>
    listPlaywrightFailures(suite, directory, [...titles, suite.title]),
  );
  return [...failed, ...nested];
}

/** @param message what the runner said of it: in colours, and with the place where it was seen behind it */
function describeFailure(names, message = '') {
  const [words = ''] = stripVTControlCharacters(message).split('\n    at ');
  const said = words.replaceAll(/\s+/g, ' ').slice(0, 400);
  return [names.join(' › '), said].filter(Boolean).join(': ');
}

function loseReport(title) {
  return { passed: 0, failures: [`${title}: ended without a report`] };
}

/** Whatever the report says, a runner that ended badly has failed. */
function withStatus({ passed, failures }, title, status) {
  const unnamed = status !== 0 && failures.length === 0 ? [`ended with status ${status}`] : [];
  return { passed, failures: [...failures, ...unnamed].map((failure) => `${title}: ${failure}`) };
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
