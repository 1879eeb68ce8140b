import * as prices from '@parts-forge/contract/prices/agreed-prices';
import * as calls from '@parts-forge/contract/prices/quotes';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { type Actor, actAs } from '#src/platform/http/calls/access.ts';
import { serveCall, serveList } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findUntaxedRate } from '#src/users/store.ts';
import { removeAgreedPrices, setAgreedPrice } from './agreed-prices.ts';
import { findAgreedPrices, findQuote, findQuotes, readAgreedPrice, type Viewer } from './find-prices.ts';
import { findOwnPrices, readToday } from './own-prices.ts';
import { answerQuote, askForPrices, declineQuote, withdrawQuote } from './quotes.ts';

export function registerPrices(app: FastifyInstance, platform: Platform): void {
  const { config, database } = platform;
  const { db } = database;
  const viewAs = async ({ role, userId }: Pick<Actor, 'role' | 'userId'>): Promise<Viewer> =>
    role === 'admin' ? undefined : { userId, untaxedRate: await findUntaxedRate(db, config, userId) };
  const readAs = async (actor: Actor, id: string) => {
    const data = await findQuote(db, id, await viewAs(actor));
    if (!data) throw new Problem('not-found');
    return { data };
  };

  serveCall(app, prices.readOwnPrices, async ({ actor: { userId }, query: { products } }) => {
    const untaxedRate = await findUntaxedRate(db, config, userId);
    const found = await findOwnPrices(db, userId, products, readToday(platform), untaxedRate);
    return { data: [...found].map(([productId, ownPrices]) => ({ productId, ownPrices })) };
  });

  serveList(app, prices.listAgreedPrices, async ({ actor, query }) =>
    findAgreedPrices(db, query, readToday(platform), await viewAs(actor)),
  );

  serveCall(app, prices.setAgreedPrice, async ({ actor, body }) => ({
    data: await readAgreedPrice(db, await setAgreedPrice(platform, actor, body)),
  }));

  serveCall(app, prices.removeAgreedPrice, async ({ actor, params: { id } }) => ({
    deletedCount: await actAs(platform.changes, actor, (tx) => removeAgreedPrices(tx, platform, [id])),
  }));

  serveCall(app, calls.askForPrices, async ({ actor, body, headers }) =>
    readAs(actor, await askForPrices(platform, actor, body, headers['idempotency-key'])),
  );

  serveList(app, calls.listQuotes, async ({ actor, query }) => findQuotes(db, query, await viewAs(actor)));

  serveCall(app, calls.withdrawQuote, async ({ actor, params: { id } }) => {
    await withdrawQuote(platform, actor, id);
    return readAs(actor, id);
  });

  serveCall(app, calls.answerQuote, async ({ actor, params: { id }, body }) => {
    await answerQuote(platform, actor, id, body);
    return readAs(actor, id);
  });

  serveCall(app, calls.declineQuote, async ({ actor, params: { id }, body: { note } }) => {
    await declineQuote(platform, actor, id, note);
    return readAs(actor, id);
  });
}
