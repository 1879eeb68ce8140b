import { spawn } from 'node:child_process';
import { watchAncestors } from './ancestors.mjs';

const children = new Set();
const abandonedMs = 4_500;
let isEnding = false;

/** Its message is for the person at the terminal. */
export class StepFailed extends Error {}

/** The child gets this command's signals, and ends when npm is gone. */
export function startChild(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  children.add(child);
  child.once('close', () => children.delete(child));
  child.once('error', () => children.delete(child));
  return child;
}

/** Waits for all output. Returns 1 after a signal. */
export function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Shows output only on failure.
 * @throws StepFailed with the output
 */
export async function runQuietly(command, args, options = {}) {
  const child = startChild(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let all = '';
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    all += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    all += text;
  });
  const code = await ended(child);
  if (code !== 0) throw new StepFailed(`${command} ${args.join(' ')}\n${all.trim()}`);
  return output;
}

/** Exits with 0 if all children ended in order, else with `code`. Idempotent. */
function endWithChildren(signal, code) {
  if (isEnding) return;
  isEnding = true;
  const statuses = [];
  const endWhenAlone = () => {
    if (children.size > 0) return;
    const closedInOrder = statuses.length > 0 && statuses.every((status) => status === 0);
    process.exit(closedInOrder ? 0 : code);
  };
  for (const child of children) {
    child.once('close', (status) => {
      statuses.push(status);
      endWhenAlone();
    });
    child.kill(signal);
  }
  endWhenAlone();
}

/**
 * Children with a message channel notice this end. Does not wait for `close`, which never comes after
 * `disconnect`.
 */
function endAbandoned() {
  const running = new Set(
    [...children].filter((child) => child.exitCode === null && child.signalCode === null),
  );
  const endWhenAlone = () => {
    if (running.size === 0) process.exit(1);
  };
  for (const child of running) {
    child.once('exit', () => {
      running.delete(child);
      endWhenAlone();
    });
    if (child.connected) child.disconnect();
    else child.kill('SIGTERM');
  }
  endWhenAlone();
  setTimeout(() => {
    for (const child of running) child.kill('SIGKILL');
    process.exit(1);
  }, abandonedMs);
}

process.on('SIGINT', () => endWithChildren('SIGINT', 130));
process.on('SIGTERM', () => endWithChildren('SIGTERM', 143));
process.on('SIGHUP', () => endWithChildren('SIGTERM', 129));
watchAncestors(endAbandoned);
