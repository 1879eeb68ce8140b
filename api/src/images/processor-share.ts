import { spawn, spawnSync } from 'node:child_process';

/** util-linux, which every Debian has; where it is missing or may not, the nice value alone decides. */
const program = '/usr/bin/chrt';
const ofProcess = (policy: '--idle' | '--other', pid: number) => [
  '--all-tasks',
  policy,
  '--pid',
  '0',
  String(pid),
];

/**
 * From now on this process and its threads run only where nothing else wants the processor, and make way at once
 * (`SCHED_IDLE`, sched(7)). Linux only; may be repeated.
 */
export function useIdleProcessor(): void {
  spawnSync(program, ofProcess('--idle', process.pid), { stdio: 'ignore' });
}

/** From now on that process has a share of the processor again, as its nice value says. Linux only; may be repeated. */
export function shareProcessorWith(pid: number): void {
  spawn(program, ofProcess('--other', pid), { stdio: 'ignore' }).on('error', () => {});
}
