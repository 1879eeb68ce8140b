import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCluster } from './cluster.ts';
import { findPostgresPrograms } from './postgres-pair.ts';

// See README.md in this folder.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    seed: { type: 'string' },
    keep: { type: 'boolean' },
    from: { type: 'string' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const haproxy = folders.map((folder) => join(folder, 'haproxy')).find((file) => existsSync(file));
const postgres = findPostgresPrograms();
const missing = [...(haproxy ? [] : ['haproxy']), ...(postgres ? [] : ['postgresql-15'])];
if (haproxy === undefined || postgres === undefined) {
  say(
    `This needs ${missing.join(' and ')}. On Debian: apt-get install --no-install-recommends ${missing.join(' ')}`,
  );
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'parts-forge-cluster-'));
chmodSync(folder, 0o755);
if (values.keep) say(`What the programs say is in ${folder}.`);
else process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(130));

const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const plan = {
  folder,
  haproxy,
  postgres,
  secondsOfLoad: Number(values.seconds),
  upgradeFrom: values.from ?? null,
  seed,
  report: say,
};
const { requests, orders, restartsByHand, ...found } = await runCluster(plan);
const findings = Object.entries(found).flatMap(([kind, list]) => list.map((one) => `${kind}: ${one}`));
for (const finding of findings) say(finding);
say(
  `\n${requests} requests, ${orders} orders, ${found.lost.length} lost, ${found.doubled.length} doubled, ` +
    `${found.oversold.length} oversold, ${found.hung.length} hung, ${found.broken.length} broken, ` +
    `${restartsByHand} restarts by hand`,
);
process.exit(findings.length + restartsByHand === 0 ? 0 : 1);
