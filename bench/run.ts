import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measureAttack } from './attack.ts';
import { closeEverything } from './closing.ts';
import { measureCores } from './cores.ts';
import { measureEndurance } from './endurance.ts';
import { keepInHistory } from './history.ts';
import { measureInstalled } from './installed.ts';
import { measureInteractions } from './interactions.ts';
import { measureLive } from './live.ts';
import { describeMachine } from './machine.ts';
import { measureMachines } from './machines.ts';
import { measureMemory } from './memory.ts';
import { measureNewShop } from './new-shop.ts';
import { measureOrders } from './orders.ts';
import { measureReads } from './reads.ts';
import { measureReadsBesideOrders } from './reads-beside-orders.ts';
import { type Results, writeReport } from './report.ts';
import { measureScale } from './scale.ts';
import { measureStart } from './start.ts';
import { measureWeight } from './weight.ts';

// Default: all except the longest. Only a default run updates the stored results.
const measurements = {
  start: measureStart,
  memory: measureMemory,
  installed: measureInstalled,
  weight: measureWeight,
  interactions: measureInteractions,
  reads: measureReads,
  readsBesideOrders: measureReadsBesideOrders,
  live: measureLive,
  orders: measureOrders,
  machines: measureMachines,
  newShop: measureNewShop,
  cores: measureCores,
  attack: measureAttack,
  endurance: measureEndurance,
  scale: measureScale,
};
type Name = keyof typeof measurements;
const names = Object.keys(measurements) as Name[];
/** Too long for a default run, and rarely changing. */
const byNameAlone: readonly Name[] = ['newShop', 'endurance', 'scale'];

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  // Often arrives twice, from terminal and parent.
  process.on(signal, () => closeEverything().finally(() => process.exit(status)));
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name as Name));
if (unknown.length > 0) {
  say(`There is no measurement ${unknown.join(', ')}, only ${names.join(', ')}.`);
  process.exit(1);
}

const results: Results = { machine: describeMachine() };
const failed: Name[] = [];
for (const name of names.filter((name) => wanted.includes(name) || isPartOfAll(name))) {
  const startedAt = performance.now();
  say(`Measuring ${name} …`);
  try {
    Object.assign(results, { [name]: await measurements[name]() });
    say(`Measured ${name} in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
  } catch (error) {
    failed.push(name);
    say(`${name} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
  }
}
await closeEverything();

const report = writeReport(results);
process.stdout.write(`\n${report}`);
if (wanted.length === 0 && failed.length === 0) {
  writeFileSync(place('results.md'), report);
  writeFileSync(place('results.json'), `${JSON.stringify(results, null, 2)}\n`);
  keepInHistory(results);
  say('\nKept in bench/results.md, bench/results.json and, as the line of this version, in bench/history.');
}
process.exit(failed.length === 0 ? 0 : 1);

function isPartOfAll(name: Name): boolean {
  return wanted.length === 0 && !byNameAlone.includes(name);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function place(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
