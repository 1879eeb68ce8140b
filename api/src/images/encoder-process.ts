import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { EncoderAnswer } from './picture-encoder.ts';

// Encodes the pictures whose files it is told, one after the other. Nothing else of the shop is loaded here, and no setting known.
process.on('message', async (file: string) => {
  const { encodePicture } = await import('./encode-picture.ts');
  const answer = await encodePicture(await readFile(file)).then(
    (picture): EncoderAnswer => ({ picture }),
    (error: unknown): EncoderAnswer => ({ refusal: String(error) }),
  );
  process.send?.(answer);
});
// The shop is gone. Exiting would wait for what is being decoded, which nobody does any more.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
try {
  // When memory runs out, it is this process that Linux ends.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Elsewhere the system decides.
}
