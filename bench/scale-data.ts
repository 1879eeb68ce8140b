import { KINDS } from '@parts-forge/contract/part-rules';
import type { Pool } from 'pg';

export interface Scale {
  products: number;
  users: number;
  orders: number;
}

const tables = ['products', 'users', 'orders', 'trail'] as const;

const id = (number: string) => `('00000000-0000-7000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

const pick = (words: readonly string[], number: string) =>
  `(array[${words.map((word) => `'${word}'`).join(', ')}])[1 + (${number}) % ${words.length}]`;

const kinds = ['Display', 'Battery', 'Camera', 'Speaker', 'Charging port', 'Flex cable', 'Frame', 'Button'];
const makers = ['Nova', 'Apex', 'Lumen', 'Kite', 'Orbit', 'Pixelon', 'Zephyr'];
const firstNames = [
  'Amara',
  'Kwame',
  'Lena',
  'Jonas',
  'Mei',
  'Carlos',
  'Fatou',
  'Ingrid',
  'Ravi',
  'Chloe',
  'Omar',
];
const lastNames = [
  'Okafor',
  'Mensah',
  'Fischer',
  'Berg',
  'Tanaka',
  'Silva',
  'Diallo',
  'Larsen',
  'Patel',
  'Moreau',
];

/** Older unpaid orders have expired. */
const UNPAID_OF = 7_200;

/**
 * Parts, customers, two years of orders in every state, and as many trail entries as parts. Deterministic
 * except for times.
 *
 * Indexes come after the rows, which takes a tenth of the time.
 */
export async function fillAtScale(pool: Pool, { products, users, orders }: Scale): Promise<void> {
  const rebuildIndexes = await dropIndexes(pool);
  await pool.query(`
    insert into products (id, number, kind, fits, name, description, price_cents, quantity, minimum_order, image, created_at,
      updated_at)
    select ${id('n')}, 'PF-' || lpad(n::text, 7, '0'), ${pick(KINDS, 'n')},
      array[${pick(makers, 'n / 8')} || ' ' || (n / 56) % 40, ${pick(makers, 'n / 8')} || ' ' || (n / 56) % 40 || ' Pro'],
      ${pick(kinds, 'n')} || ' for ' || ${pick(makers, 'n / 8')} || ' ' || (n / 56) % 40 || ', no. ' || n,
      repeat('Bonded to its cover glass, tested, with adhesive. ', 4), 100 + n % 9000, case when n % 50 = 0 then 10 else 100000 end,
      50, '/images/panel-1280.webp', now() - n * interval '20 seconds', now()
    from generate_series(1, ${products}) n`);
  await pool.query(`
    insert into phone_models (name, model)
    select distinct fit, normalize_search(fit) from products, unnest(fits) as fit on conflict do nothing`);
  await pool.query(`
    insert into users (id, email, name, created_at, updated_at)
    select ${id('n')}, 'customer-' || n || '@shop-' || n % 5000 || '.example',
      ${pick(firstNames, 'n')} || ' ' || ${pick(lastNames, 'n / 11')}, now() - n * interval '30 seconds', now()
    from generate_series(1, ${users}) n`);
  await pool.query(`
    insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone, quantity,
      total_cents, status, transaction_id, closed, closed_at, held_until, created_at, updated_at)
    select ${id('n')}, users.id, products.id, products.name, products.image, price_cents, users.name, users.email,
      '12 Oxford Street, Osu, Accra', '233302771204', 50, 50 * price_cents, state.status,
      case when state.status <> 'due' then 'pi_' || n end, state.closed,
      case when state.closed is not null then now() end,
      case when state.status = 'due' and state.closed is null then now() - n * interval '12 seconds' + interval '1 day' end,
      now() - n * interval '12 seconds', now()
    from generate_series(1, ${orders}) n
    cross join lateral (select case when n % 10 < 6 then 'paid' when n % 10 = 6 then 'pending' else 'due' end as status,
      case when n % 10 = 8 then 'cancelled' when n % 10 = 9 or n % 10 = 7 and n > ${UNPAID_OF} then 'expired'
        when n % 70 = 6 then 'refunded' end as closed) state
    join users on users.id = ${id(`1 + (n * 7919::bigint) % ${users}`)}
    join products on products.id = ${id(`1 + (n * 104729::bigint) % ${products}`)}`);
  await pool.query(`
    insert into trail (id, created_at, event, topic, actor, actor_id, request_id, product_id, stock_change, before, after)
    select ${id('n')}, now() - n * interval '40 seconds', 'stock-corrected', 'stock', 'admin', ${id(`1 + n % ${users}`)},
      gen_random_uuid(), ${id(`1 + (n * 31::bigint) % ${products}`)}, 100,
      '{"quantity": 900}', '{"quantity": 1000}'
    from generate_series(1, ${products}) n`);
  await pool.query(`
    insert into invoices (id, series, year, sequence, order_id, issued_at, day, transaction_id, order_number, currency,
      total_cents, seller, buyer, lines)
    select id, 'invoice', 2000, row_number() over (order by created_at), id, created_at, created_at::date, transaction_id,
      number, currency, total_cents, '{}', '{}', '[{"name": "A part", "quantity": 50}]'
    from orders where status <> 'due'`);
  await rebuildIndexes();
  await pool.query('vacuum analyze');
}

/** Keeps those of constraints. @returns recreates them */
async function dropIndexes(pool: Pool): Promise<() => Promise<void>> {
  const { rows } = await pool.query<{ name: string; statement: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as statement from pg_index
     where indrelid = any(select unnest($1::text[])::regclass)
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await pool.query(`drop index ${name}`);
  return async () => {
    for (const { statement } of rows) {
      // Three times as fast.
      await pool.query(`set maintenance_work_mem = '1GB'; ${statement}`);
    }
  };
}
