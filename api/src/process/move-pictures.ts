import { movePictures } from '#src/images/move-pictures.ts';
import { listOrderImages, replaceOrderImage } from '#src/orders/order-pictures.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import { openChangeFeed } from '#src/platform/database/change-feed.ts';
import { listProductImages, replaceProductImage } from '#src/products/store.ts';
import { runCommand } from './backup-command.ts';
import { connectBesideShop } from './connect-database.ts';
import { say } from './say.ts';
import { termination } from './termination.ts';

// `npm run move-pictures [-- --dry-run]`: to the storage of the current settings.

const REHEARSAL = '--dry-run';
/** Small statements, so that customers do not wait for row locks. */
const ORDERS_AT_A_TIME = 1000;

process.exit(await runCommand(run, termination));

async function run(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg !== REHEARSAL))
    throw new StartError(`Usage: npm run move-pictures [-- ${REHEARSAL}]`);
  const isRehearsal = args.includes(REHEARSAL);
  const config = readConfig(process.env);
  const { database, close } = await connectBesideShop(config, say);
  const changes = await openChangeFeed(database, (error) => say(error.message));
  const { db } = database;
  try {
    const moved = await movePictures({
      platform: { config, database, changes },
      isRehearsal,
      signal: termination,
      say,
      users: {
        listAddresses: async () => [
          ...new Set([...(await listProductImages(db)), ...(await listOrderImages(db))]),
        ],
        async replace(from, to) {
          const ids = await changes.write(async (tx, changed) => {
            const replaced = await replaceProductImage(tx, from, to);
            changed('products', 'catalogue', ...replaced.map((id) => `product:${id}` as const));
            return replaced;
          });
          let orders = 0;
          for (let some = -1; some !== 0; orders += some) {
            termination.throwIfAborted();
            some = await replaceOrderImage(db, { from, to, limit: ORDERS_AT_A_TIME });
          }
          return { products: ids.length, orders };
        },
      },
    });
    report(moved, isRehearsal);
  } finally {
    await changes.close();
    await close();
  }
}

function report(
  { pictures, products, orders, left }: Awaited<ReturnType<typeof movePictures>>,
  isRehearsal: boolean,
): void {
  for (const { address, why } of left) say(`Left where it is: ${address}: ${why}.`);
  if (isRehearsal) return void say(`${pictures} pictures would be moved, ${left.length} left.`);
  say(`Moved ${pictures} pictures of ${products} parts and ${orders} orders; ${left.length} left.`);
  if (pictures > 0) say('They are still where they were, too: pages that are open in browsers look there.');
  if (left.length > 0) throw new StartError('Not everything was moved; the command can be repeated.');
}
