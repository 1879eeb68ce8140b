import { type ChildProcess, spawn } from 'node:child_process';
import type { RunAs } from './run-as.ts';

/**
 * Starts PostgreSQL (`$@`) and stays beside it: sends INT when our end of standard input closes, and ends with
 * PostgreSQL's own status when PostgreSQL ends. The shop may then die in any way and PostgreSQL closes in order.
 * A signal interrupts `wait`, so it is asked again until PostgreSQL is really gone.
 */
const watcher = `
exec 3<&0
"$@" 3<&- &
p=$!
trap 'kill -INT $p' INT TERM
(while read -r _ <&3; do :; done; kill -INT $p) &
w=$!
wait $p
s=$?
while [ $s -gt 128 ] && kill -0 $p 2>/dev/null; do wait $p; s=$?; done
kill $w 2>/dev/null
exit $s
`;

/**
 * PostgreSQL as a child under its watcher, in a process group of its own: Ctrl-C then reaches the shop alone,
 * and both close in order. Closing the child's standard input asks PostgreSQL to stop.
 */
export function spawnWatched(runAs: RunAs, program: string, args: string[]): ChildProcess {
  const options = { ...runAs.identity, cwd: '/', env: postgresEnvironment(), detached: true } as const;
  if (process.platform === 'win32') return spawn(program, args, { env: postgresEnvironment() });
  return spawn('/bin/sh', ['-c', watcher, 'postgres-watcher', ...runAs.prefix, program, ...args], options);
}

/** Nothing of the person's own: settings such as PGDATA or a language would change what PostgreSQL does and says. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMPDIR } = process.env;
  const kept = Object.entries({ PATH, SystemRoot, TEMP, TMPDIR }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };
}
