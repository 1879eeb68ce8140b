import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
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
/** Vitest's projects by what their times are called. */
const partNames = { units: 'unit', web: 'page' };

const nothing = { passed: 0, failures: [], parts: [], files: [] };

/** @returns {Results} of one check, such as the format, which counts as one test */
export function readCheck({ name, status, command }) {
  return status === 0 ? { ...nothing, passed: 1 } : { ...nothing, failures: [{ name, command }] };
}

/** @returns {Results} with the time of a part alone */
export const measured = (name, seconds) => ({ ...nothing, parts: [{ name, seconds }] });

/** @returns {Results} of a part that this machine cannot run. @param reason the part and what it misses */
export const leaveOut = (reason) => ({ ...nothing, leftOut: [reason] });

/**
 * Reads what `vitest-report.mjs` wrote.
 * @param run `title`: what it is called; `command`: runs the file and title behind it; `status`: how the runner ended
 * @returns {Results}
 */
export function readVitestReport(reportFile, { title, command, status }) {
  const report = read(reportFile);
  if (!report) return loseReport(title);
  const files = report.files.map((file) => ({ ...file, path: relative(root, file.path) }));
  const failures = files.flatMap(({ path, failures }) =>
    failures.map((failure) => ({
      name: [path, failure.title].filter(Boolean).join(' › '),
      message: shorten(failure.message),
      command: [command, path, ...(failure.title ? ['-t', quotePattern(failure.title)] : [])].join(' '),
    })),
  );
  const errors = report.errors.map((message) => ({ name: title, message: shorten(message) }));
  return {
    passed: sum(files, ({ passed }) => passed),
    failures: withStatus([...failures, ...errors], title, status),
    parts: measureProjects(files),
    files: files.map(({ path, startedAt, endedAt }) => ({ path, seconds: (endedAt - startedAt) / 1000 })),
  };
}

/** Projects run side by side where one ends, so their times add up to more than the run's. */
function measureProjects(files) {
  const projects = new Map();
  for (const { project, startedAt, endedAt } of files) {
    const { from, to } = projects.get(project) ?? { from: startedAt, to: endedAt };
    projects.set(project, { from: Math.min(from, startedAt), to: Math.max(to, endedAt) });
  }
  return [...projects].map(([name, { from, to }]) => ({
    name: partNames[name] ?? name,
    seconds: (to - from) / 1000,
  }));
}

/**
 * Reads Playwright's JSON.
 * @param run as for Vitest
 * @returns {Results}
 */
export function readPlaywrightReport(reportFile, { title, command, status }) {
  const report = read(reportFile);
  if (!report) return loseReport(title);
  const stories = report.suites.flatMap((suite) => listStories(suite, report.config.rootDir));
  const failures = stories.filter(hasFailed).map((story) => describeStory(story, command));
  const errors = (report.errors ?? []).map(({ message }) => ({ name: title, message: shorten(message) }));
  return {
    passed: report.stats.expected,
    failures: withStatus([...failures, ...errors], title, status),
    parts: [{ name: 'stories', seconds: report.stats.duration / 1000 }],
    files: measureFiles(stories),
  };
}

/** Every story of every device, as `{ path, titles, device, status, results }`. */
function listStories({ specs = [], suites = [] }, directory, titles = []) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.map(({ projectName, status, results }) => ({
      path: relative(root, join(directory, file)),
      titles: [...titles, title],
      device: projectName,
      status,
      results,
    })),
  );
  const nested = suites.flatMap((suite) =>
    // A file is a suite of its own, whose title is the file.
    listStories(suite, directory, suite.line === 0 ? titles : [...titles, suite.title]),
  );
  return [...own, ...nested];
}

/** A story that passes only now and then has failed. */
const hasFailed = ({ status }) => status === 'unexpected' || status === 'flaky';

function describeStory({ path, titles, device, results }, command) {
  const failed = results.filter(({ status }) => status !== 'passed').at(-1);
  const attached = failed?.attachments?.find((attachment) => attachment.path)?.path;
  const only = device ? ['--project', device] : [];
  return {
    name: [path, ...titles, device].filter(Boolean).join(' › '),
    message: shorten(failed?.error?.message),
    command: [command, path, ...only, '-g', quotePattern(titles.join(' '))].join(' '),
    ...(attached && { folder: `${relative(root, dirname(attached))}/` }),
  };
}

function measureFiles(stories) {
  const files = new Map();
  for (const { path, results } of stories)
    files.set(path, (files.get(path) ?? 0) + sum(results, ({ duration }) => duration) / 1000);
  return [...files].map(([path, seconds]) => ({ path, seconds }));
}

/**
 * The end of every test command, of which a long log often leaves nothing else: times, failures, the sum.
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
    'The slowest test files:',
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

/** The line in CONTRIBUTING.md that `npm run test:all` writes. */
const fullRunLine = /^Last full run: .*$/m;

/** @returns the document with the line of this run in place of the one before */
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

/** A title as a regular expression for a shell. */
const quotePattern = (title) =>
  `'${title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "'\\''")}'`;

/** @param message what the runner said of it: in colours, and with the place where it was seen behind it */
function shorten(message = '') {
  const [words = ''] = stripVTControlCharacters(message).split('\n    at ');
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 400);
}

const loseReport = (title) => ({
  ...nothing,
  failures: [{ name: title, message: 'ended without a report' }],
});

/** Whatever the report says, a runner that ended badly has failed. */
const withStatus = (failures, title, status) =>
  status !== 0 && failures.length === 0
    ? [{ name: title, message: `ended with status ${status}` }]
    : failures;

const sum = (list, count) => list.reduce((total, one) => total + count(one), 0);

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
