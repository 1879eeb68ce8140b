import { execFile } from 'node:child_process';
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from '@parts-forge/embedded-postgres/binaries';
import { EmbeddedPostgresError } from '@parts-forge/embedded-postgres/errors';
import { takeStockAndWriteOne } from './one-order.ts';
import { type Address, firstNumber, idPrefix, minimumOrder, priceCents } from './order-database.ts';

const run = promisify(execFile);

/** The installed PostgreSQL's own, else another one. */
export async function findPgbench(): Promise<string | null> {
  try {
    const { postgres } = await findBinaries(undefined, 'installed');
    // The program may be a link.
    const folders = [
      dirname(realpathSync(postgres)),
      dirname(postgres),
      ...(process.env.PATH ?? '').split(delimiter),
    ];
    const name = process.platform === 'win32' ? 'pgbench.exe' : 'pgbench';
    return folders.map((folder) => join(folder, name)).find((program) => existsSync(program)) ?? null;
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) return null;
    throw error;
  }
}

export interface PgbenchPlan {
  program: string;
  database: Address;
  connections: number;
  measuredSeconds: number;
  /** Unique on this database, from 0 to 999; part of ids and keys. */
  round: number;
  order: { address: string; phone: string };
  productCount: number;
  folder: string;
}

/** @returns placed orders, and their rate */
export async function runPgbench(plan: PgbenchPlan): Promise<{ orders: number; perSecond: number }> {
  const { program, database, connections, measuredSeconds, round } = plan;
  const script = join(plan.folder, 'place-order.pgbench');
  writeFileSync(script, scriptFor(plan));
  const { host, port, user, password, database: name } = database;
  const { stdout } = await run(
    program,
    [
      ...['-h', host, '-p', String(port), '-U', user, '-n', '-M', 'simple', '-f', script],
      ...['-c', String(connections), '-j', '2', '-T', String(measuredSeconds)],
      ...['-D', `n=${round * 10_000_000}`, '-D', 'prepared=0', name],
    ],
    { env: { ...process.env, PGPASSWORD: password }, timeout: (measuredSeconds + 60) * 1000 },
  );
  const orders = Number(/number of transactions actually processed: (\d+)/.exec(stdout)?.[1]);
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (!(orders > 0 && perSecond > 0)) throw new Error(`pgbench placed nothing:\n${stdout}`);
  return { orders, perSecond };
}

/**
 * Prepared once a connection, as in the shop. pgbench's own prepared mode has only numbers and rewrites
 * parameters.
 */
function scriptFor({ order: { address, phone }, productCount }: PgbenchPlan): string {
  const values = [
    `'${idPrefix}:order'`,
    `'${idPrefix}:product'`,
    String(minimumOrder),
    'now()',
    String(minimumOrder * priceCents),
    `'${idPrefix}:customer'`,
    `'Customer :customer'`,
    `'customer-:customer@bench.example'`,
    `'${address}'`,
    `'${phone}'`,
    'gen_random_uuid()::text',
    `'\\x${'5a'.repeat(32)}'`,
    String(priceCents),
    // Never expires, without a limit of unpaid orders.
    'null',
    'null',
    'gen_random_uuid()',
  ];
  return [
    '\\if :prepared = 0',
    `prepare place_order as ${takeStockAndWriteOne.replaceAll(/\s+/g, ' ').trim()};`,
    '\\set prepared 1',
    '\\endif',
    '\\set n :n + 1',
    `\\set order ${firstNumber} + :n * 100 + :client_id`,
    `\\set product ${firstNumber} + random(1, ${productCount})`,
    `\\set customer ${firstNumber} + :client_id`,
    `execute place_order(${values.join(', ')});`,
    '',
  ].join('\n');
}
