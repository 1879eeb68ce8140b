import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closeEverything } from './closing.ts';
import { describeMachine } from './machine.ts';
import { measureMachines } from './machines.ts';
import { measureMemory } from './memory.ts';
import { measureOrders } from './orders.ts';
import { measureReads } from './reads.ts';
import { type Results, writeReport } from './report.ts';
import { measureStart } from './start.ts';
import { measureWeight } from './weight.ts';

// Default: all. Only a default run updates the stored results.
const measurements = {
  start: measureStart,
  memory: measureMemory,
  weight: measureWeight,
  reads: measureReads,
  orders: measureOrders,
  machines: measureMachines,
};
type Name = keyof typeof measurements;
const names = Object.keys(measurements) as Name[];

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
for (const name of names.filter((name) => wanted.length === 0 || wanted.includes(name))) {
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
  say('\nKept in bench/results.md and bench/results.json.');
}
process.exit(failed.length === 0 ? 0 : 1);

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function place(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
