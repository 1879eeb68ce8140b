import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { openSession } from './open-session.ts';
import { run } from './processes.ts';
import type { Program } from './programs.ts';

/** Rows as text, by table. */
export type Rows = Map<string, string[]>;

const changedByRestore = ['instance_id', 'former_instance_ids', 'copied_at'];

/** Without settings and expiry times that a restore changes. */
export async function readRows(connection: pg.ClientConfig): Promise<Rows> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('public', 'identity') order by 1`,
    );
    const all: Rows = new Map();
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(
        `select (to_jsonb(t) - 'held_until')::text as row from ${name} t order by 1`,
      );
      const isKept = (row: string) => !changedByRestore.includes(JSON.parse(row).name);
      const texts = rows.map(({ row }) => row);
      all.set(name, name === 'public.settings' ? texts.filter(isKept) : texts);
    }
    return all;
  } finally {
    await client.end();
  }
}

export const parseRows = (rows: Rows, table: string): Record<string, unknown>[] =>
  (rows.get(table) ?? []).map((row) => JSON.parse(row));

/** Hexadecimal bytes by file name. */
export const readPictures = (dataDir: string): Map<string, string> =>
  new Map(
    readdirSync(join(dataDir, 'images'))
      .sort()
      .map((name) => [name, readFileSync(join(dataDir, 'images', name), 'hex')]),
  );

export const backUp = (env: Record<string, string>, ...args: string[]): Program =>
  run(['api/src/process/backup.ts', ...args], env);
export const restore = (env: Record<string, string>, ...args: string[]): Program =>
  run(['api/src/process/restore.ts', ...args], env);
export async function succeed(command: Program): Promise<void> {
  expect(await command.ended, command.said()).toBe(0);
}

export async function register(url: string): Promise<{ email: string; token: string }> {
  const email = `${randomUUID()}@fieldrepair.example`;
  const person = { email, name: 'Amara Okafor', password: 'secret-1', isNew: true };
  return { email, token: await openSession(url, person) };
}

type Part = { quantity: number; minimumOrder: number };

/** @returns the ids of the orders confirmed so far */
export function keepOrdering(url: string, customer: { email: string; token: string }) {
  const confirmed: string[] = [];
  let isStopped = false;
  const ordering = (async () => {
    const products = await readJson(await fetch(`${url}/product`));
    while (!isStopped) {
      // The first part in stock moves to the end.
      const index = products.findIndex((each: Part) => each.quantity >= each.minimumOrder);
      const [product] = products.splice(index, 1);
      products.push(product);
      const quantity = product.minimumOrder;
      product.quantity -= quantity;
      const answer = await fetch(`${url}/order`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${customer.token}` },
        body: JSON.stringify({
          email: customer.email,
          name: 'Amara Okafor',
          address: '12 Oxford Street, Osu\nAccra',
          phone: '233302771204',
          productId: product._id,
          quantity,
          totalPrice: Math.round(quantity * product.price * 100) / 100,
          status: 'due',
        }),
      });
      confirmed.push((await readJson(answer)).insertedId);
    }
  })();
  // `stop` throws the error.
  ordering.catch(() => {});
  const stop = async () => {
    isStopped = true;
    await ordering;
  };
  return { confirmed, stop };
}

// biome-ignore lint/suspicious/noExplicitAny: what a call answers is what the test is about
async function readJson(response: Response): Promise<any> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
