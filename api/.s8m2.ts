const { installedPostgres } = await import(new URL('../scripts/installed-postgres.mjs', import.meta.url).href);
import { openDatabase } from '#src/platform/database/connection.ts';
import { migrate } from '#src/platform/database/migrate.ts';
const s = await installedPostgres();
try {
  const d = openDatabase({ connectionString: s.url }, { statementTimeoutMs: 600000, connectionTimeoutMs: 5000 }, () => {});
  await migrate(d);
  const q = (t: string) => d.pool.query(t);
  await q(`insert into products (id, name, description, price_cents, quantity, minimum_order, image, number)
    select ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'Part ' || n, repeat('x', 200), 100, case when n = 2 then 10 else 100000 end, 50, '/images/x.webp', 'PF-' || lpad(n::text, 6, '0') from generate_series(1, 3000) n`);
  await q('analyze products');
  const loop = (n: number) => q(`do $$ declare i int; begin for i in 1..4000 loop update products set quantity = quantity + (i % 2) * 2 - 1 where id = '00000000-0000-0000-0000-00000000000${n}'; if i % 50 = 0 then commit; end if; end loop; end $$`);
  for (const round of [1, 2, 3]) {
    for (const mode of ['enable', 'disable']) {
      await q(`alter table products ${mode} trigger products_scarce_changed`);
      for (const [name, n] of [['scarce', 2], ['other', 1]] as const) {
        const t0 = performance.now(); await loop(n); console.log(round, mode, name, 'us per update', ((performance.now() - t0) / 4).toFixed(1));
      }
    }
  }
  await q('drop trigger products_scarce_changed on products; create index on products ((quantity::float8 / minimum_order), id) where deleted_at is null');
  const t0 = performance.now(); await loop(2); console.log('index on the stock instead, us per update', ((performance.now() - t0) / 4).toFixed(1));
  await d.close();
} finally { await s.stop(); }
