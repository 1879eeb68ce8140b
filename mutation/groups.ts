import { existsSync, globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { inProject, root } from './project.ts';

/**
 * What is mutated, and the tests by which that is tried. A mutant meets the tests of its group alone: the whole suite
 * would take minutes for each, and a rule should be held by the tests beside it.
 */
export interface Group {
  name: string;
  mutate: readonly string[];
  tests: readonly string[];
}

/** The rules need no database and take minutes; what needs the database takes many more. */
export type Part = 'rules' | 'database';

export const listGroups = (part: Part): Group[] => (part === 'rules' ? listRules() : listWithDatabase());

/** The contract's rules, and the server's: money, settings, limits, who is calling and what is refused. */
function listRules(): Group[] {
  const contract = globSync('contract/src/*.test.ts', { cwd: root })
    .sort()
    .map((test) => test.replace(/\.test\.ts$/, '.ts'))
    .filter((source) => !notRules.includes(source) && !calls.includes(source.replace(/\.ts$/, '.test.ts')));
  return [
    ...[...contract, ...serverRules].map((source) => group([source], listUnitTests(source))),
    group(['contract/src/images.ts'], calls),
  ];
}

/** A list, and answers that only tell what was. */
const notRules = ['contract/src/trail.ts'];
const calls = ['calls', 'calls-answers', 'calls-fields'].map((name) => `contract/src/${name}.test.ts`);
/** Their descriptions of calls are held by the table of all calls, too. */
const describesCalls = /^contract\/src\/(call|orders|products|reviews|users|identity|payments)\.ts$/;

const serverRules = [
  'api/src/pages/content-security-policy.ts',
  'api/src/payments/payment-rules.ts',
  'api/src/platform/core/config.ts',
  'api/src/platform/core/config/database.ts',
  'api/src/platform/core/config/identity.ts',
  'api/src/platform/core/config/limits.ts',
  'api/src/platform/core/config/payments.ts',
  'api/src/platform/core/config/pictures.ts',
  'api/src/platform/core/config/secret-files.ts',
  'api/src/platform/core/config/server.ts',
  'api/src/platform/core/config/watch.ts',
  'api/src/platform/core/problem.ts',
  'api/src/platform/database/cursor.ts',
  'api/src/platform/http/access.ts',
  'api/src/platform/http/error-handler.ts',
  'api/src/platform/http/paging.ts',
  'api/src/platform/http/rate-limits.ts',
  'api/src/platform/http/response-cache.ts',
  'api/src/platform/http/send-cached.ts',
  'api/src/platform/http/serve-call.ts',
  'api/src/platform/http/validation.ts',
];

/** Parts whose rules show in what is built on them, too. */
const triedAlsoBy: Partial<Record<string, readonly string[]>> = {
  'response-cache': ['cached-reads', 'stale-responses', 'share-next'],
  'send-cached': ['response-front'],
};

function listUnitTests(source: string): string[] {
  const beside = source.replace(/\.ts$/, '.test.ts');
  const alsoBy = triedAlsoBy[basename(source, '.ts')];
  if (alsoBy) return [beside, ...alsoBy.map((name) => `api/src/platform/http/${name}.test.ts`)];
  // Settings of several groups are checked together, and all of them against README.md and .env.example.
  if (source.includes('/core/config')) {
    return globSync('api/src/platform/core/{config,config/*}.test.ts', { cwd: root }).sort();
  }
  return describesCalls.test(source) ? [beside, ...calls] : [beside];
}

/** The acts on orders and money, which only the whole shop with its database shows. */
function listWithDatabase(): Group[] {
  const [orders, payments] = ['api/src/orders', 'api/src/payments'];
  const place = `${orders}/place-order.api.test.ts`;
  const cancel = `${orders}/cancel-order.api.test.ts`;
  const accept = `${orders}/accept-payment.api.test.ts`;
  const closes = `${orders}/close-unpaid-order.api.test.ts`;
  const afterLook = `${orders}/accept-after-the-look.api.test.ts`;
  const held = `${orders}/held-stock.api.test.ts`;
  const queue = `${orders}/order-queue.api.test.ts`;
  const verified = 'api/src/identity/mailed-links.api.test.ts';
  const pay = `${payments}/pay-for-an-order.api.test.ts`;
  const races = `${payments}/races.slow.test.ts`;
  const events = `${payments}/receive-event.api.test.ts`;
  const reconcile = `${payments}/reconcile.api.test.ts`;
  const refunds = `${payments}/refunds.api.test.ts`;
  const atProvider = `${payments}/refunds-at-provider.api.test.ts`;
  const disputes = `${payments}/disputes.api.test.ts`;
  const restored = `${payments}/restored-copy.api.test.ts`;
  const opened = `${payments}/open-payment.api.test.ts`;
  const recorded = `${payments}/record-payment.api.test.ts`;
  const refreshed = `${payments}/refresh-money.api.test.ts`;
  const settle = `${payments}/settle-or-refund.api.test.ts`;
  const follow = `${payments}/follow-refund.api.test.ts`;
  const outcomes = `${payments}/event-outcomes.api.test.ts`;
  const orderPayments = `${payments}/order-payments.api.test.ts`;
  const rounds = `${payments}/reconcile-rounds.api.test.ts`;
  const lost = `${payments}/lost-look-ups.api.test.ts`;
  const fromSandbox = `${payments}/from-sandbox-to-stripe.api.test.ts`;
  const acts = 'api/src/activity/acts.api.test.ts';
  const throttle = [
    'api/src/identity/login-throttle-counters.api.test.ts',
    'api/src/identity/login-throttle-queue.api.test.ts',
    'api/src/identity/login-throttle.api.test.ts',
  ];
  const lists = [
    'api/src/products/products.api.test.ts',
    'api/src/platform/database/count-matches.api.test.ts',
  ];
  return [
    group([`${orders}/place-order.ts`], [place, held, queue, verified]),
    group([`${orders}/cancel-order.ts`, `${orders}/close-unpaid-order.ts`], [closes, cancel]),
    group([`${orders}/expire-orders.ts`, `${orders}/return-pieces.ts`], [closes, held, cancel, refunds]),
    group([`${orders}/accept-payment.ts`], [afterLook, accept, atProvider, disputes]),
    group([`${payments}/open-payment.ts`], [opened, pay, races]),
    group([`${payments}/record-payment.ts`], [recorded, pay, restored]),
    group([`${payments}/settle-or-refund.ts`], [settle, pay, atProvider, restored]),
    group([`${payments}/refund-order.ts`], [refunds, atProvider, disputes, acts]),
    group([`${payments}/follow-refund.ts`], [follow, refunds, restored, fromSandbox]),
    group([`${payments}/refresh-money.ts`], [refreshed, disputes]),
    group([`${payments}/order-payments.ts`], [orderPayments, cancel, accept, held]),
    group([`${payments}/reconcile.ts`], [rounds, reconcile, lost]),
    group([`${payments}/receive-event.ts`], [outcomes, events]),
    group(['api/src/identity/login-throttle.ts'], throttle),
    group(['api/src/platform/database/find-page.ts'], lists),
  ];
}

/** Named after the folder and file that it mutates first: `contract/src/money.ts` is `contract-money`. */
function group(mutate: readonly string[], tests: readonly string[]): Group {
  const missing = [...mutate, ...tests].filter((file) => !existsSync(inProject(file)));
  if (missing.length > 0)
    throw new Error(`mutation/groups.ts names what is not there: ${missing.join(', ')}`);
  const [first = ''] = mutate;
  const folder = basename(dirname(first)).replace('src', dirname(dirname(first)));
  return { name: `${folder}-${basename(first, '.ts')}`, mutate, tests };
}
