import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Results } from './report.ts';

/** Figures by name, such as `reads /product`; units as in results.json. */
export interface HistoryLine {
  version: string;
  measuredAt: string;
  machine: string;
  figures: Record<string, number>;
}

const file = fileURLToPath(new URL('history/releases.jsonl', import.meta.url));
const manifest = fileURLToPath(new URL('../package.json', import.meta.url));

/** Replaces an earlier line of the version. */
export function keepInHistory(results: Results): void {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const { measuredAt, cores, processor } = results.machine;
  const line = { version, measuredAt, machine: `${cores} × ${processor}`, figures: listFigures(results) };
  const lines = replaceVersion(readHistory(), line);
  writeFileSync(file, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

export function readHistory(): HistoryLine[] {
  if (!existsSync(file)) return [];
  const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return rows.map((row) => JSON.parse(row) as HistoryLine);
}

/** @returns the lines in order of versions */
export function replaceVersion(lines: readonly HistoryLine[], line: HistoryLine): HistoryLine[] {
  const isKnown = lines.some(({ version }) => version === line.version);
  return isKnown ? lines.map((each) => (each.version === line.version ? line : each)) : [...lines, line];
}

/** Absent when not measured. */
export function listFigures({
  start,
  memory,
  installed,
  weight,
  reads,
  readsBesideOrders,
  live,
  orders,
  cores,
}: Results): HistoryLine['figures'] {
  return {
    ...(start && {
      'start, empty, ms to /readyz': start.empty.readyMs.median,
      'start, with data, ms to /readyz': start.withData.readyMs.median,
      'start, with data, ms to /': start.withData.homePageMs.median,
    }),
    ...(typeof memory === 'object' && { 'memory at rest, MB': memory.all.median }),
    ...(installed && { 'installed, MB': installed.all }),
    ...Object.fromEntries(
      (weight?.pages ?? []).flatMap(({ path, bytes }) => [
        [`JavaScript of ${path}, bytes`, bytes.script],
        [`CSS of ${path}, bytes`, bytes.style],
        [`fonts of ${path}, bytes`, bytes.font],
      ]),
    ),
    ...Object.fromEntries((reads ?? []).map(({ path, ratio }) => [`reads of ${path}, ratio`, ratio.median])),
    ...Object.fromEntries(
      (typeof readsBesideOrders === 'object' ? readsBesideOrders : []).map(({ path, ratio }) => [
        `reads of ${path} beside orders, ratio`,
        ratio.median,
      ]),
    ),
    ...(typeof live === 'object' && {
      [`memory of ${live.streams} streams, MB`]: live.memoryMb,
      [`a change reaches ${live.streams} streams, ms`]: live.slowestMs.median,
    }),
    ...Object.fromEntries(
      (typeof orders === 'object' ? orders.kinds : []).map(({ kind, ratio }) => [
        `${kind}, ratio`,
        ratio.median,
      ]),
    ),
    ...(typeof orders === 'object' && {
      'orders after reads, ratio to orders alone': orders.afterReads.ratio.median,
    }),
    ...Object.fromEntries(
      (typeof cores === 'object' ? cores : []).map(({ asked, coreEach, ratio }) => [
        `two workers, ${asked}, ratio${coreEach === null ? '' : ' (each with a share of a core)'}`,
        ratio.median,
      ]),
    ),
  };
}
