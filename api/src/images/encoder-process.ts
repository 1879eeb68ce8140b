import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { EncoderAnswer } from './picture-encoder.ts';

// Encodes the pictures whose files it is told, one after the other. Nothing else of the shop is loaded here, and no setting known.
process.on('message', async (file: string) => {
  const { DamagedPicture, encodePicture } = await import('./encode-picture.ts');
  const answer = await encodePicture(await readFile(file)).then(
    (picture): EncoderAnswer => ({ picture }),
    (error: unknown): EncoderAnswer => ({
      refusal: String(error),
      isDamaged: error instanceof DamagedPicture,
    }),
  );
  process.send?.(answer);
});
// The shop is gone. Exiting would wait for what is being decoded, which nobody does any more.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
whereLinuxAllows(() => {
  // When memory runs out, it is this process that Linux ends.
  writeFileSync('/proc/self/oom_score_adj', '1000');
});
whereLinuxAllows(() => {
  // All pictures share one core, so that readers find the others free (docs/decisions/0040). What starts later in this
  // process inherits it.
  execFileSync('taskset', ['-a', '-c', '-p', findLastCore(), String(process.pid)], { stdio: 'ignore' });
});

/** Elsewhere the system decides. */
function whereLinuxAllows(act: () => void): void {
  try {
    act();
  } catch {}
}

/** The last of the cores that this process may use: the same for every one of them. */
function findLastCore(): string {
  const [, core] = /^Cpus_allowed_list:.*?(\d+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (core === undefined) throw new Error('Linux does not say which cores there are.');
  return core;
}
