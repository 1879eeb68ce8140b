import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './project.mjs';

/**
 * @typedef {object} Failure
 * @property {string} name the file and the test's titles
 * @property {string} [message] how it failed
 * @property {string} [command] runs this test alone
 * @property {string} [folder] has the screenshot and the console of a story
 *
 * @typedef {object} Results of a runner or a check
 * @property {number} passed
 * @property {Failure[]} failures
 * @property {{ name: string, seconds: number }[]} parts the run's parts, with the time from their beginning to their end
 * @property {{ path: string, seconds: number }[]} files test files with their times
 * @property {string[]} [leftOut] parts that this machine cannot run
 */

const SLOWEST = 10;

const nothing = { passed: 0, failures: [], parts: [], files: [] };

/** @returns {Results} which count as one test */
export function readCheck({ name, status, command }) {
  return status === 0 ? { ...nothing, passed: 1 } : { ...nothing, failures: [{ name, command }] };
}

/** @returns {Results} */
export const measured = (name, seconds) => ({ ...nothing, parts: [{ name, seconds }] });

/** @returns {Results} @param reason the part and its missing requirement */
export const leaveOut = (reason) => ({ ...nothing, leftOut: [reason] });

/** For Vitest's and Playwright's reporters. */
export const writeResults = (results) => writeFileSync(process.env.TEST_REPORT_FILE, JSON.stringify(results));

/**
 * @param run `command`: runs one test, with file and title appended; `status`: other than 0 means failed, in
 * spite of the report
 * @returns {Results}
 */
export function readResults(file, { title, command, status }) {
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  if (!results) return { ...nothing, failures: [{ name: title, message: 'ended without a report' }] };
  const failures = results.failures.map(({ alone, ...failure }) => ({
    name: title,
    ...failure,
    ...(alone && { command: `${command} ${alone}` }),
  }));
  if (failures.length === 0 && status !== 0)
    failures.push({ name: title, message: `ended with status ${status}` });
  return { ...results, failures };
}

/**
 * The last lines of a run, as long logs are often cut.
 * @param {Results[]} results
 * @returns {string[]} lines
 */
export function closingLines(results, totalSeconds) {
  const parts = results.flatMap(({ parts }) => parts);
  const files = results.flatMap(({ files }) => files).sort((a, b) => b.seconds - a.seconds);
  const { passed, failures, leftOut } = addUp(results);
  return [
    'Parts, which may overlap:',
    ...parts.map(({ name, seconds }) => `${formatSeconds(seconds)}  ${name}`),
    ...(files.length > 0 ? ['The slowest test files:'] : []),
    ...files.slice(0, SLOWEST).map(({ path, seconds }) => `${formatSeconds(seconds)}  ${path}`),
    '',
    ...failures.flatMap(describeFailure),
    ...leftOut.map((part) => `Left out: ${part}`),
    `${passed} passed, ${failures.length} failed in ${formatDuration(totalSeconds)}`,
  ];
}

function describeFailure({ name, message, command, folder }) {
  return [
    `Failed: ${[name.replaceAll(/\s+/g, ' '), message].filter(Boolean).join(': ')}`,
    ...(command ? [`  alone: ${command}`] : []),
    ...(folder ? [`  screenshot and console: ${folder}`] : []),
  ];
}

/** @param {Results[]} results */
export function addUp(results) {
  return {
    passed: sum(results, ({ passed }) => passed),
    failures: results.flatMap(({ failures }) => failures),
    leftOut: results.flatMap(({ leftOut = [] }) => leftOut),
  };
}

/** In CONTRIBUTING.md, by `npm run test:all`. */
const fullRunLine = /^Last full run: .*$/m;

export function recordFullRun(document, results, { date, commit, seconds }) {
  const { passed, failures, leftOut } = addUp(results);
  const line = [
    `Last full run: ${date}`,
    `commit ${commit}`,
    `${passed} passed`,
    `${failures.length} failed`,
    formatDuration(seconds),
    `left out: ${leftOut.join('; ') || 'nothing'}`,
  ].join(', ');
  if (!fullRunLine.test(document)) throw new Error('There is no line for the last full run.');
  return document.replace(fullRunLine, () => line);
}

const formatSeconds = (seconds) => `${seconds.toFixed(1).padStart(8)} s`;

function formatDuration(seconds) {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export const relativePath = (path) => relative(root, path);

/** As a regular expression in a shell. */
export const quotePattern = (title) =>
  `'${title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "'\\''")}'`;

/** @param message with colours and a stack trace */
export function shorten(message = '') {
  const [words = ''] = stripVTControlCharacters(message).split('\n    at ');
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 400);
}

export const sum = (list, count) => list.reduce((total, one) => total + count(one), 0);
