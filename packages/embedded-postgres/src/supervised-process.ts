import { type ChildProcess, spawn } from 'node:child_process';
import { createPostgresEnvironment } from './postgres-environment.ts';
import type { RunAs } from './run-as.ts';

/**
 * Starts PostgreSQL (`$@`) and stays beside it: stops it when our end of standard input closes, and ends with
 * PostgreSQL's own status when PostgreSQL ends. Our process may then die in any way and PostgreSQL ends all the same.
 *
 * The stop becomes rougher every second until it is over, as PostgreSQL does not act on INT while it recovers from the
 * death of one of its processes. After QUIT or KILL nothing is lost: the next start recovers. KILL goes to its processes,
 * too, where Linux names them: they end with it by themselves, but not while they are stopped.
 * A signal interrupts `wait`, so it is asked again until PostgreSQL is really gone.
 */
const supervisor = `
exec 3<&0
"$@" 3<&- &
p=$!
trap 'kill -INT $p' INT TERM
(
  while read -r _ <&3; do :; done
  exec 3<&- >/dev/null 2>&1
  for signal in INT INT INT QUIT; do kill -$signal $p || exit; sleep 1; done
  kill -KILL $p $(cat /proc/$p/task/$p/children 2>/dev/null)
) &
w=$!
wait $p
s=$?
while [ $s -gt 128 ] && kill -0 $p 2>/dev/null; do wait $p; s=$?; done
kill $w 2>/dev/null
exit $s
`;

/**
 * Starts PostgreSQL as a child under its supervisor, in a process group of its own: Ctrl-C then reaches our process
 * alone, and both close in order. Closing the child's standard input stops PostgreSQL, within five seconds at most.
 *
 * Windows has no such shell: there PostgreSQL is the child itself.
 */
export function spawnSupervised(runAs: RunAs, program: string, args: string[]): ChildProcess {
  const env = createPostgresEnvironment();
  if (process.platform === 'win32') return spawn(program, args, { env });
  return spawn('/bin/sh', ['-c', supervisor, 'postgres-supervisor', ...runAs.prefix, program, ...args], {
    ...runAs.identity,
    cwd: '/',
    env,
    detached: true,
  });
}
