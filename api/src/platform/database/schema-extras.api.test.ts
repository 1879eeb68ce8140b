import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useShop } from '#test/use-shop.ts';

const shop = useShop();

const document = new URL('../../../../docs/guides/scaling.md', import.meta.url);

/** Schema objects beyond plain tables, columns, constraints and btree indexes on columns. */
const extras = `
  select case when tgconstraint = 0 then 'trigger' else 'constraint trigger' end as kind, tgname::text as name,
    tgrelid::regclass::text as "table"
  from pg_trigger where not tgisinternal
  union all select 'generated column', attname::text, attrelid::regclass::text from pg_attribute where attgenerated <> ''
  union all select access.amname || ' index' || case when indexprs is null then '' else ' on an expression' end,
    index.relname::text, indrelid::regclass::text
  from pg_index join pg_class as index on index.oid = indexrelid join pg_am as access on access.oid = index.relam
  where index.relnamespace = 'public'::regnamespace and (access.amname <> 'btree' or indexprs is not null)
  union all select 'function', proname::text, '' from pg_proc
  where pronamespace = 'public'::regnamespace and not exists (
    select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
  union all select 'sequence', relname::text, '' from pg_class
  where relkind = 'S' and relnamespace = 'public'::regnamespace
  union all select 'unlogged table', relname::text, '' from pg_class
  where relkind = 'r' and relpersistence = 'u' and relnamespace = 'public'::regnamespace
  union all select 'collation', collname::text, '' from pg_collation where collnamespace = 'public'::regnamespace
  union all select 'statistics', stxname::text, stxrelid::regclass::text from pg_statistic_ext
  union all select 'extension', extname::text, '' from pg_extension where extname <> 'plpgsql'`;

test('docs/guides/scaling.md lists the schema objects beyond plain tables', async () => {
  const text = readFileSync(document, 'utf8');
  const rows = [...text.matchAll(/^\| ([^|`]+) \| `([^|`]+)` \| (?:`([^|`]+)`)? ?\| (.+) \|$/gm)];
  const purposes = new Map(rows.map(([, , name = '', table = '', purpose]) => [`${table}.${name}`, purpose]));
  const { rows: found } =
    await shop.services.database.pool.query<Record<'kind' | 'name' | 'table', string>>(extras);
  const lines = found.map(({ kind, name, table }) => {
    const purpose = purposes.get(`${table}.${name}`) ?? '(what it does)';
    return `| ${kind} | \`${name}\` | ${table && `\`${table}\` `}| ${purpose} |`;
  });
  // Databases have collations of their own.
  expect(rows.map(([line]) => line).toSorted()).toEqual(lines.toSorted());
});
