import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { copyReadyDataFolder } from '../../api/test/processes.ts';
import { torture } from './torture.ts';

test('three rounds of killing, starving and flooding lose, double, oversell and hang nothing', {
  timeout: 600_000,
}, async () => {
  const place = fileURLToPath(new URL('../../.cache/', import.meta.url));
  mkdirSync(place, { recursive: true });
  const folder = mkdtempSync(`${place}torture-`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyReadyDataFolder(join(folder, 'data'));
  const lines: string[] = [];
  const outcome = await torture({
    folder,
    on: 'embedded',
    // All processes killed at once, the orders locked, a thousand half-sent bodies.
    seed: 6,
    isOver: (round) => round >= 3,
    report: (line) => lines.push(line),
  });
  expect(outcome.orders, lines.join('\n')).toBeGreaterThan(0);
  expect(outcome.payments, lines.join('\n')).toBeGreaterThan(0);
  expect(outcome, lines.join('\n')).toMatchObject({
    rounds: 3,
    lost: [],
    doubled: [],
    oversold: [],
    hung: [],
    restartsByHand: 0,
    leftovers: 0,
  });
});
