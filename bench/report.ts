import { inWords, kilobytes } from './figures.ts';
import type { Machine } from './machine.ts';
import type { MachinesResult } from './machines.ts';
import type { MemoryResult } from './memory.ts';
import type { OrdersResult } from './orders.ts';
import type { ReadResult } from './reads.ts';
import type { StartResult } from './start.ts';
import type { WeightResult } from './weight.ts';

/** Absent: not run. A text: the reason why not measurable. */
export interface Results {
  machine: Machine;
  start?: StartResult;
  memory?: MemoryResult | string;
  weight?: WeightResult;
  reads?: ReadResult[];
  orders?: OrdersResult | string;
  machines?: MachinesResult[] | string;
}

/** Markdown whose tables also read well as text. */
export function writeReport(results: Results): string {
  const { machine, start, memory, weight, reads, orders, machines } = results;
  const parts = [
    '# Results',
    `Measured ${machine.measuredAt.slice(0, 16).replace('T', ' ')} UTC on ${machine.cores} cores (${machine.processor}), ` +
      `${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}; load before: ${machine.loadBefore}.\n` +
      'Medians, with the lowest and the highest run. What they mean stands in README.md.',
    start && section('Start', startTable(start)),
    memory && section('Memory', tableOf(memory, memoryTable)),
    weight && section('Weight', weightTable(weight)),
    reads && section('Reads', readsTable(reads)),
    orders && section('Orders', tableOf(orders, ordersTable)),
    machines && section('Machines', tableOf(machines, machinesTable)),
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

const section = (title: string, body: string) => `## ${title}\n\n${body}`;

const tableOf = <Result>(result: Result | string, write: (result: Result) => string) =>
  typeof result === 'string' ? `Not measured. ${result}` : write(result);

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;

const startTable = ({ empty, withData }: StartResult) =>
  table([
    ['`npm start` of a built project', 'first 200 of /readyz', 'first 200 of /', 'runs'],
    ...[
      { name: 'empty data folder', times: empty },
      { name: 'with data', times: withData },
    ].map(({ name, times: { readyMs, homePageMs } }) => [
      name,
      inWords(readyMs, seconds),
      inWords(homePageMs, seconds),
      String(readyMs.runs),
    ]),
  ]);

const memoryTable = ({ launcher, server, postgres, all }: MemoryResult) =>
  table([
    ['MB (2^20) at rest', 'launcher', 'server', 'PostgreSQL', 'together', 'runs'],
    [
      'with data, after a sign-in',
      ...[launcher, server, postgres, all].map((figure) => inWords(figure)),
      String(all.runs),
    ],
  ]);

const weightTable = ({ chromium, pages }: WeightResult) =>
  `${table([
    ['first load, kB as sent', 'JavaScript', 'CSS', 'both', 'page', 'fonts', 'pictures', 'other', 'requests'],
    ...pages.map(({ path, requests, bytes }) => [
      path,
      ...[bytes.script, bytes.style, bytes.script + bytes.style].map(written),
      ...[bytes.page, bytes.font, bytes.image, bytes.other].map(written),
      String(requests),
    ]),
  ])}\n\nChromium ${chromium}, empty memory, window of 1440 by 900. ${describeEncoding(pages)}`;

const written = (bytes: number) => kilobytes(bytes).toFixed(1);

function describeEncoding(pages: WeightResult['pages']): string {
  const most = Math.max(...pages.map(({ bytesNotBrotli }) => bytesNotBrotli));
  if (most === 0) return 'Every script and style sheet was sent as brotli.';
  return `Scripts and style sheets were sent as brotli, but for at most ${most} bytes of a page, counted as they are.`;
}

const readsTable = (reads: readonly ReadResult[]) =>
  table([
    [
      'GET',
      'ratio to bare node:http',
      'ratio of processor time',
      'requests/s',
      'bare requests/s',
      'bytes',
      '99 % within',
      'generator busy',
    ],
    ...reads.map((read) => [
      read.path,
      inWords(read.ratio),
      read.costRatio ? inWords(read.costRatio) : 'not told',
      inWords(read.perSecond),
      inWords(read.barePerSecond),
      read.bytes.toLocaleString('en-US'),
      `${read.percentile99Ms.median} ms`,
      `${Math.round(read.generatorBusy.median * 100)} %`,
    ]),
  ]);

const ordersTable = ({ kinds, afterReads }: OrdersResult) => {
  const byKind = table([
    ['POST /order', 'ratio to pgbench', 'orders/s', 'pgbench orders/s', '99 % within'],
    ...kinds.map((row) => [
      `${row.kind}; PostgreSQL ${row.postgres}, ${row.connections} connections`,
      inWords(row.ratio),
      inWords(row.perSecond),
      inWords(row.pgbenchPerSecond),
      `${row.percentile99Ms.median} ms`,
    ]),
  ]);
  const readBefore = table([
    ['GET /product/{id} before each POST /order', 'ratio to orders alone', 'orders/s', 'orders/s alone'],
    [
      '1000 products',
      inWords(afterReads.ratio),
      inWords(afterReads.perSecond),
      inWords(afterReads.alonePerSecond),
    ],
  ]);
  return `${byKind}\n\n${readBefore}`;
};

const machinesTable = (machines: readonly MachinesResult[]) =>
  table([
    [
      'beside three webhooks and 20 keys',
      'ratio to alone',
      'a second',
      'a second alone',
      'events posted a second',
    ],
    ...machines.map((row) => [
      row.asked,
      inWords(row.ratio),
      inWords(row.perSecond),
      inWords(row.alonePerSecond),
      inWords(row.eventsPerSecond),
    ]),
  ]);

/** @param rows the first one is the header */
function table(rows: readonly (readonly string[])[]): string {
  const [heading = [], ...body] = rows;
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [
    line(heading),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map(line),
  ].join('\n');
}
