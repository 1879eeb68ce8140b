import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const intervalMs = 250;
const shells = /^-?(sh|ash|bash|dash|ksh|zsh|fish|busybox)$/;

/** A killed npm leaves its shell running, so this watches both. */
export function watchAncestors(onLoss) {
  const [parent, ...further] = listAncestors();
  const timer = setInterval(() => {
    if (process.ppid === parent && further.every(isRunning)) return;
    clearInterval(timer);
    onLoss();
  }, intervalMs);
  timer.unref();
}

function listAncestors() {
  const ancestors = [process.ppid];
  const isFromNpm = process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32';
  if (!isFromNpm) return ancestors;
  for (;;) {
    const last = describe(ancestors.at(-1));
    if (!last || !shells.test(last.name) || last.parent <= 0) return ancestors;
    ancestors.push(last.parent);
  }
}

function describe(pid) {
  try {
    if (process.platform === 'linux') {
      const [, name, state, parent] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(
        readFileSync(`/proc/${pid}/stat`, 'utf8'),
      );
      return { name, state, parent: Number(parent) };
    }
    const row = execFileSync('ps', ['-o', 'ppid=,state=,comm=', '-p', String(pid)], { encoding: 'utf8' });
    const [, parent, state, path] = /^\s*(\d+)\s+(\S+)\s+(.*\S)/.exec(row);
    return { name: path.split('/').at(-1), state, parent: Number(parent) };
  } catch {
    return null;
  }
}

/** Without /proc, a killed process that nobody has reaped yet counts as running. */
function isRunning(pid) {
  if (process.platform === 'linux') return ![undefined, 'Z', 'X'].includes(describe(pid)?.state);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
