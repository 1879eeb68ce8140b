import type { AttackResult } from './attack.ts';
import type { CoresResult } from './cores.ts';
import type { EnduranceResult } from './endurance.ts';
import { inWords, kilobytes } from './figures.ts';
import type { InstalledResult } from './installed.ts';
import type { InteractionsResult } from './interactions.ts';
import type { LiveResult } from './live.ts';
import type { Machine } from './machine.ts';
import type { MachinesResult } from './machines.ts';
import type { MemoryResult, Shares } from './memory.ts';
import type { NewShopResult } from './new-shop.ts';
import type { OrdersResult } from './orders.ts';
import type { ReadResult } from './reads.ts';
import type { ReadBesideOrdersResult } from './reads-beside-orders.ts';
import type { ScaleResult } from './scale.ts';
import type { StartResult } from './start.ts';
import type { WeightResult } from './weight.ts';

/** Absent: not run. A text: the reason why not measurable. */
export interface Results {
  machine: Machine;
  start?: StartResult;
  memory?: MemoryResult | string;
  installed?: InstalledResult;
  weight?: WeightResult;
  interactions?: InteractionsResult;
  reads?: ReadResult[];
  readsBesideOrders?: ReadBesideOrdersResult[] | string;
  live?: LiveResult | string;
  orders?: OrdersResult | string;
  machines?: MachinesResult[] | string;
  newShop?: NewShopResult | string;
  cores?: CoresResult[] | string;
  attack?: AttackResult[];
  endurance?: EnduranceResult | string;
  scale?: ScaleResult[] | string;
}

/** Markdown whose tables also read well as text. */
export function writeReport(results: Results): string {
  const { machine, start, memory, installed, weight, interactions, reads } = results;
  const { readsBesideOrders, live, orders, machines, newShop, cores, attack, endurance, scale } = results;
  const parts = [
    '# Results',
    `Measured ${machine.measuredAt.slice(0, 16).replace('T', ' ')} UTC on ${machine.cores} cores (${machine.processor}), ` +
      `${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}; load before: ${machine.loadBefore}.\n` +
      'Medians, with the lowest and the highest run. What they mean stands in README.md.',
    start && section('Start', startTable(start)),
    memory && section('Memory', typeof memory === 'string' ? `Not measured. ${memory}` : memoryTable(memory)),
    installed && section('Installed', installedTable(installed)),
    weight && section('Weight', weightTable(weight)),
    interactions && section('Interactions', interactionsTable(interactions)),
    reads && section('Reads', readsTable(reads)),
    readsBesideOrders &&
      section(
        'Reads beside orders',
        typeof readsBesideOrders === 'string'
          ? `Not measured. ${readsBesideOrders}`
          : readsBesideOrdersTable(readsBesideOrders),
      ),
    live && section('Live', typeof live === 'string' ? `Not measured. ${live}` : liveTable(live)),
    orders && section('Orders', typeof orders === 'string' ? `Not measured. ${orders}` : ordersTable(orders)),
    machines &&
      section(
        'Machines',
        typeof machines === 'string' ? `Not measured. ${machines}` : machinesTable(machines),
      ),
    newShop &&
      section('A new shop', typeof newShop === 'string' ? `Not measured. ${newShop}` : newShopTable(newShop)),
    cores && section('Cores', typeof cores === 'string' ? `Not measured. ${cores}` : coresTable(cores)),
    attack && section('Under attack', attackTable(attack)),
    endurance &&
      section(
        'Endurance',
        typeof endurance === 'string' ? `Not measured. ${endurance}` : enduranceTable(endurance),
      ),
    scale && section('Scale', typeof scale === 'string' ? `Not measured. ${scale}` : scaleTable(scale)),
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

const section = (title: string, body: string) => `## ${title}\n\n${body}`;

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;

const given = (ms: number | null) => (ms === null ? 'given up (503)' : `${ms} ms`);

const scaleTable = (results: readonly ScaleResult[]) =>
  table([
    ['99 % within', '1,000 of each', '1,000,000 parts and users, 5,000,000 orders'],
    ...results.map((result) => [
      result.what,
      given(result.smallPercentile99Ms),
      given(result.largePercentile99Ms),
    ]),
  ]);

const newShopTable = ({ minutes, slowestToFirst }: NewShopResult) =>
  `${table([
    ['minute', 'orders per second', '99 % within'],
    ...minutes.map(({ perSecond, percentile99Ms }, index) => [
      String(index + 1),
      String(perSecond),
      `${percentile99Ms} ms`,
    ]),
  ])}\n\nThe slowest minute to the first: ${slowestToFirst}.`;

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

const installedTable = ({ all, node, packages }: InstalledResult) =>
  table([
    ['MB (10^6) of installed files', 'together', 'of it Node', 'packages'],
    ['what `npm start` installs', ...[all, node, packages].map(String)],
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

const interactionsTable = ({ chromium, slowdown, interactions, routes }: InteractionsResult) =>
  [
    table([
      [`on a processor ${slowdown} times slower`, 'ms to the next paint', 'runs'],
      ...interactions.map(({ what, nextPaintMs }) => [what, inWords(nextPaintMs), String(nextPaintMs.runs)]),
    ]),
    table([
      ['link, pressed for the first time', 'ms to the next page', 'runs'],
      ...routes.map(({ link, paintedMs }) => [link, inWords(paintedMs), String(paintedMs.runs)]),
    ]),
    `Chromium ${chromium}.`,
  ].join('\n\n');

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

const readsBesideOrdersTable = (reads: readonly ReadBesideOrdersResult[]) =>
  table([
    ['GET', 'orders/s meanwhile', 'ratio to bare node:http', 'requests/s', 'bare requests/s', '99 % within'],
    ...reads.map((read) => [
      read.path,
      inWords(read.ordersPerSecond),
      inWords(read.ratio),
      inWords(read.perSecond),
      inWords(read.barePerSecond),
      `${read.percentile99Ms.median} ms`,
    ]),
  ]);

const enduranceTable = (result: EnduranceResult) => {
  const cells = (shares: Shares) => {
    const { launcher, server, postgres } = shares;
    return [launcher, server, postgres, launcher + server + postgres].map((share) => share.toFixed(0));
  };
  const { readsPerSecond, ordersPerSecond, signInsPerSecond, minutes } = result;
  const lines = table([
    ['MB (2^20) while it is used', 'launcher', 'server', 'PostgreSQL', 'together'],
    ['after a minute', ...cells(result.afterAMinute)],
    [`after ${minutes} minutes`, ...cells(result.atTheEnd)],
  ]);
  return (
    `${lines}\n\n${result.ratio} times as much, with ${readsPerSecond} reads, ${ordersPerSecond} orders and ` +
    `${signInsPerSecond} sign-ins a second.`
  );
};

const liveTable = ({ streams, memoryMb, slowestMs, percentile99Ms }: LiveResult) =>
  table([
    ['GET /live', 'memory, MB (2^20)', 'a change reaches all within', '99 % within'],
    [
      `${streams.toLocaleString('en-US')} streams in one process`,
      String(memoryMb),
      `${inWords(slowestMs)} ms`,
      `${inWords(percentile99Ms)} ms`,
    ],
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

const coresTable = (cores: readonly CoresResult[]) =>
  table([
    ['two workers', 'ratio to one', 'a second', 'a second of one'],
    ...cores.map((row) => [
      row.coreEach === null ? row.asked : `${row.asked}; ${row.coreEach} of a core each`,
      inWords(row.ratio),
      inWords(row.twoWorkersPerSecond),
      inWords(row.oneWorkerPerSecond),
    ]),
  ]);

const attackTable = (attack: readonly AttackResult[]) =>
  table([
    [
      'from one address',
      'elsewhere',
      '99 % within, to quiet',
      '99 % within',
      'quiet, 99 % within',
      'answers',
    ],
    ...attack.map((row) => [
      row.attack,
      row.asked,
      inWords(row.ratio),
      inWords(row.percentile99Ms, milliseconds),
      inWords(row.quietPercentile99Ms, milliseconds),
      inWords(row.answers),
    ]),
  ]);

const milliseconds = (value: number) => `${value.toFixed(1)} ms`;

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
