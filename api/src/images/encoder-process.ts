import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { EncoderAnswer } from './picture-encoder.ts';

// Loads no other part of the shop and knows no settings.
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
// A normal exit would wait for the decoding.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
whereLinuxAllows(() => {
  // When memory runs out, Linux kills this process first.
  writeFileSync('/proc/self/oom_score_adj', '1000');
});
whereLinuxAllows(() => {
  // Leaves the other cores to requests (docs/decisions/0040). Later threads inherit it.
  execFileSync('taskset', ['-a', '-c', '-p', findLastCore(), String(process.pid)], { stdio: 'ignore' });
});

function whereLinuxAllows(act: () => void): void {
  try {
    act();
  } catch {}
}

/** Equal in all encoder processes. */
function findLastCore(): string {
  const [, core] = /^Cpus_allowed_list:.*?(\d+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  if (core === undefined) throw new Error('Linux does not say which cores there are.');
  return core;
}
