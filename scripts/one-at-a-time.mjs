import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { say } from './progress.mjs';
import { inProject } from './project.mjs';

const lockFile = inProject('.cache', 'set-up.lock');
const heartbeatMs = 2_000;
const deadAfterMs = 15_000;

/**
 * Concurrent installations would destroy each other. The holder touches the lock, so a killed command's
 * lock becomes stale.
 */
export async function oneAtATime(work) {
  mkdirSync(dirname(lockFile), { recursive: true });
  let hasSaidSo = false;
  while (!take()) {
    if (!hasSaidSo) say('Another command is setting the shop up; waiting for it.');
    hasSaidSo = true;
    await wait(500);
  }
  const heartbeat = setInterval(() => utimesSync(lockFile, new Date(), new Date()), heartbeatMs);
  const release = () => rmSync(lockFile, { force: true });
  process.on('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off('exit', release);
    release();
  }
}

function take() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    removeIfDead();
    return false;
  }
}

function removeIfDead() {
  const modifiedAt = statSync(lockFile, { throwIfNoEntry: false })?.mtimeMs;
  if (modifiedAt !== undefined && Date.now() - modifiedAt > deadAfterMs) rmSync(lockFile, { force: true });
}
