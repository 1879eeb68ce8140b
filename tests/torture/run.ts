import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describe, isSound, torture } from './torture.ts';

// See README.md in this folder.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const minutes = Number(positionals[0] ?? 5);
const rounds = Number(values.rounds ?? Number.POSITIVE_INFINITY);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
if (!(minutes > 0) || !(rounds > 0) || !Number.isInteger(seed) || positionals.length > 1) {
  say('Usage: npm run torture -- [minutes] [--rounds <n>] [--seed <n>]');
  process.exit(1);
}

const place = fileURLToPath(new URL('../../.cache/', import.meta.url));
mkdirSync(place, { recursive: true });
// On the disk of the shop's data: the system's temporary folder may be in memory.
const folder = mkdtempSync(`${place}torture-`);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

say(`Seed ${seed}.`);
const until = performance.now() + minutes * 60_000;
const outcome = await torture({
  folder,
  seed,
  isOver: (round) => round >= rounds || performance.now() > until,
  report: say,
});
for (const finding of [...outcome.lost, ...outcome.doubled, ...outcome.oversold, ...outcome.hung])
  say(finding);
say(`\n${describe(outcome)}`);
process.exit(isSound(outcome) ? 0 : 1);
