import { existsSync, readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number }} Counts */

/** The last line of every test command, read by people and by `.ci/run`. */
export const closingLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`;

/** One check, such as the format, counts as one test. */
export const countOf = (isGood) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 });

export const sum = (counts) =>
  counts.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), {
    passed: 0,
    failed: 0,
  });

/** A file that could not even be loaded has no tests, so it counts as one that failed. A lost report does too. */
export function vitestCounts(reportFile, status) {
  const report = read(reportFile);
  if (!report) return countOf(false);
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  ).length;
  return withStatus({ passed: report.numPassedTests, failed: report.numFailedTests + broken }, status);
}

export function playwrightCounts(reportFile, status) {
  const report = read(reportFile);
  if (!report) return countOf(false);
  const { expected, unexpected, flaky } = report.stats;
  const broken = unexpected === 0 ? (report.errors ?? []).length : 0;
  return withStatus({ passed: expected, failed: unexpected + flaky + broken }, status);
}

/** Whatever the report says, a runner that ended badly has failed. */
function withStatus(counts, status) {
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
