import { type ChildProcess, spawn } from 'node:child_process';
import { createPostgresEnvironment } from './postgres-environment.ts';
import type { RunAs } from './run-as.ts';

/**
 * Stops PostgreSQL (`$@`) when standard input closes, however this process dies.
 *
 * PostgreSQL ignores INT during crash recovery, so the signals escalate. QUIT and KILL lose nothing. KILL
 * also goes to its children: stopped ones would survive. A signal interrupts `wait`, hence the loop.
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
 * Own process group: Ctrl-C reaches only this process. Closing standard input stops PostgreSQL within 5 s.
 *
 * Windows has no such shell, so PostgreSQL is the child itself.
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
