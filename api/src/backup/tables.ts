import type pg from 'pg';

/** Its columns are those that are not generated. */
export interface Table {
  schema: string;
  name: string;
  columns: string[];
}

export async function listTables(client: pg.Client, schemas: readonly string[]): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name,
       array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
     from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and n.nspname = any($1)
     group by n.nspname, c.relname
     order by n.nspname, c.relname`,
    [schemas],
  );
  return rows;
}

/** Only sequences in use. */
export async function listSequences(
  client: pg.Client,
  schemas: readonly string[],
): Promise<{ name: string; lastValue: string }[]> {
  const { rows } = await client.query<{ name: string; lastValue: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as "lastValue"
     from pg_sequences where schemaname = any($1) and last_value is not null order by 1`,
    [schemas],
  );
  return rows;
}

/** Referenced tables first. @throws Error for a cycle */
export async function orderByReferences<T extends Pick<Table, 'schema' | 'name'>>(
  client: pg.Client,
  tables: readonly T[],
): Promise<T[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `select a.nspname || '.' || child.relname as from, b.nspname || '.' || parent.relname as to
     from pg_constraint
       join pg_class child on child.oid = conrelid join pg_namespace a on a.oid = child.relnamespace
       join pg_class parent on parent.oid = confrelid join pg_namespace b on b.oid = parent.relnamespace
     where contype = 'f' and conrelid <> confrelid`,
  );
  const ordered: T[] = [];
  const placed = new Set<string>();
  const left = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]));
  while (left.size > 0) {
    const next = [...left].filter(([name]) =>
      rows.every(({ from, to }) => from !== name || placed.has(to) || !left.has(to)),
    );
    if (next.length === 0)
      throw new Error(`These tables refer to each other in a circle: ${[...left.keys()]}`);
    for (const [name, table] of next) {
      ordered.push(table);
      placed.add(name);
      left.delete(name);
    }
  }
  return ordered;
}

const modes: Partial<Record<string, string>> = { O: 'enable', A: 'enable always', R: 'enable replica' };

/** `enable` restores each trigger's mode. */
export async function readTriggers(
  client: pg.Client,
  schemas: readonly string[],
): Promise<{ disable: string; enable: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; mode: string }>(
    `select format('%I.%I', n.nspname, c.relname) as table, quote_ident(t.tgname) as name, t.tgenabled::text as mode
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
     where not t.tgisinternal and t.tgenabled <> 'D' and n.nspname = any($1)`,
    [schemas],
  );
  return rows.map(({ table, name, mode }) => ({
    disable: `alter table ${table} disable trigger ${name}`,
    enable: `alter table ${table} ${modes[mode]} trigger ${name}`,
  }));
}
