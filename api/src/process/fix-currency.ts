import { countDecimals, DEFAULT_CURRENCY } from '@parts-forge/contract/money/currency';
import { sql } from 'drizzle-orm';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { setMetadata } from '#src/platform/database/metadata.ts';

/**
 * Stores the shop's currency. Another one is stored until the first order, unless it would make cents of prices
 * units. Concurrent starts take turns, and orders wait for a change.
 * @throws StartError
 */
export const fixCurrency = ({ db }: Pick<Database, 'db'>, code: string): Promise<void> =>
  db.transaction(async (tx) => {
    // Shops from before this setting have dollars.
    const stored = await tx.execute<{ value: string }>(sql`
      insert into settings (name, value) select 'currency', case
        when exists (select from products) then ${DEFAULT_CURRENCY} else ${code} end
      on conflict (name) do update set value = settings.value returning value`);
    const before = stored.rows[0]?.value ?? code;
    if (before === code) return;
    await tx.execute(sql`lock table orders in share mode`);
    const { rows } = await tx.execute<{ orders: boolean; parts: boolean }>(
      sql`select exists (select from orders) as orders, exists (select from products) as parts`,
    );
    const elsewhere = `set SHOP_CURRENCY=${before}, or start a new shop in ${code} with a database of its own.`;
    if (rows[0]?.orders) {
      throw new StartError(`This shop has orders in ${before}, and a shop has one currency: ${elsewhere}`);
    }
    if (rows[0]?.parts && countDecimals(before) !== countDecimals(code)) {
      throw new StartError(
        `The prices of this shop are in ${before}, and ${code} has other decimals: ${elsewhere}`,
      );
    }
    await setMetadata(tx, 'currency', code);
  });
