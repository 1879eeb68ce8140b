import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A path within the project. */
export const inProject = (...parts: string[]): string => join(root, ...parts);

/** Mutants run only their group's tests: the whole suite would take minutes for each. */
export interface Group {
  name: string;
  mutate: readonly string[];
  tests: readonly string[];
  /** Takes far longer. */
  needsDatabase: boolean;
}

/** @throws Error for a file that does not exist */
export const listGroups = (): Group[] => [...listRules(), ...listWithDatabase()];

/** Rules of the contract and the server. */
function listRules(): Group[] {
  const contract = globSync('contract/src/*/*.test.ts', { cwd: root })
    .sort()
    .map((test) => test.replace(/\.test\.ts$/, '.ts'))
    .filter((source) => !notRules.includes(source) && !calls.includes(source.replace(/\.ts$/, '.test.ts')));
  return [...contract, ...serverRules].map((source) => group([source], listUnitTests(source)));
}

/** A list, and schemas of recorded facts. */
const notRules = ['contract/src/events/trail.ts'];
const calls = ['contract/src/calls/calls.test.ts'];
/** Also tested by the table of all calls. */
const describesCalls =
  /^contract\/src\/[a-z]+\/(call|identity|images|live|orders|payments|product-changes|products|reviews|users)\.ts$/;

const serverRules = [
  'api/src/pages/content-security-policy.ts',
  'api/src/payments/payment-rules.ts',
  'api/src/payments/refunds/refund-rules.ts',
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
  'api/src/platform/http/calls/access.ts',
  'api/src/platform/http/error-handler.ts',
  'api/src/platform/http/calls/paging.ts',
  'api/src/platform/http/limits/rate-limits.ts',
  'api/src/platform/http/cache/response-cache.ts',
  'api/src/platform/http/cache/send-cached.ts',
  'api/src/platform/http/calls/serve-call.ts',
  'api/src/platform/http/calls/validation.ts',
];

/** Their rules also show in other modules. */
const triedAlsoBy: Partial<Record<string, readonly string[]>> = {
  'response-cache': ['fast-path'],
  'send-cached': ['fast-path'],
  'refund-rules': ['refunds-in-any-order'],
  'product-fields': ['products'],
  'part-rules': ['product-fields', '../orders/batch-lines'],
};

function listUnitTests(source: string): string[] {
  const beside = source.replace(/\.ts$/, '.test.ts');
  const alsoBy = triedAlsoBy[basename(source, '.ts')];
  if (alsoBy) return [beside, ...alsoBy.map((name) => join(dirname(source), `${name}.test.ts`))];
  // Checked together, and against docs/reference/settings.md and .env.example. The module's own tests come first, as they kill
  // most mutants.
  if (source.includes('/core/config')) {
    const all = globSync('api/src/platform/core/{config,config/*}.test.ts', { cwd: root }).sort();
    const documents = 'api/src/reference/reference.test.ts';
    return [...new Set([...(existsSync(inProject(beside)) ? [beside] : []), ...all, documents])];
  }
  return describesCalls.test(source) ? [beside, ...calls] : [beside];
}

/** Need the whole shop with its database. */
function listWithDatabase(): Group[] {
  return [
    ...listOrderActs(),
    ...listPaymentActs(),
    act(['invoices/issue-invoice', 'payments/refunds/issue-notes'], ['invoices/issue-invoice']),
    act(['products/change-stock', 'platform/database/run-once'], ['products/change-stock', 'forget-keys']),
    act('products/correct-stock', ['products/change-stock']),
    act('identity/embedded/login-throttle', [
      'identity/embedded/login-throttle-counters',
      'identity/embedded/login-throttle',
    ]),
    act('platform/database/find-page', [
      'products/products',
      'platform/database/change-feed',
      'products/search',
      'products/large-catalogue',
      'orders/search-orders',
      'typed-words',
    ]),
  ];
}

function listOrderActs(): Group[] {
  const place = 'orders/place-order';
  const cancel = 'orders/cancel-order';
  const closes = 'orders/close-unpaid-order';
  const held = 'orders/held-stock';
  const queue = 'orders/order-queue';
  const published = 'orders/published-changes';
  return [
    act([place, 'orders/place-or-refuse'], [place, held, queue, 'identity/embedded/mailed-links', published]),
    act(
      ['orders/build-placement', 'orders/explain-refusal'],
      [place, 'orders/price-breaks', queue, 'orders/place-batch', held, 'orders/removed-customer'],
    ),
    act('orders/place-batch', ['orders/place-batch', published]),
    act([cancel, closes], [cancel, published, 'mail/order-mails']),
    act(['orders/expire-orders', 'orders/return-pieces'], [cancel, held, 'payments/refunds/refunds']),
    act('orders/accept-payment', [
      'orders/accept-payment',
      published,
      'payments/refunds/refunds-at-provider',
      'payments/refunds/disputes',
      'mail/order-mails',
    ]),
  ];
}

function listPaymentActs(): Group[] {
  const pay = 'payments/pay-for-an-order';
  const refunds = 'payments/refunds/refunds';
  const atProvider = 'payments/refunds/refunds-at-provider';
  const disputes = 'payments/refunds/disputes';
  const restored = 'payments/restored-copy';
  const ofSeveral = 'payments/several-orders-money';
  return [
    act('payments/open-payment', ['payments/open-payment', 'payments/pay-several-orders', pay]),
    act('payments/record-payment', ['payments/record-payment', pay, restored]),
    act('payments/settle-or-refund', [
      'payments/settle-or-refund',
      pay,
      atProvider,
      restored,
      'mail/order-mails',
    ]),
    act('payments/refunds/refund-order', [refunds, atProvider, disputes, ofSeveral, 'activity/acts']),
    act('payments/refunds/follow-refund', [
      'payments/refunds/follow-refund',
      refunds,
      'payments/provider/from-sandbox-to-stripe',
      ofSeveral,
      restored,
    ]),
    act('payments/refunds/refresh-money', [
      'payments/refunds/refresh-money',
      disputes,
      'payments/refunds/follow-refund',
    ]),
    act('payments/order-payments', [
      'payments/order-payments',
      'orders/cancel-order',
      'orders/accept-payment',
      'orders/held-stock',
      'payments/provider/from-sandbox-to-stripe',
    ]),
    act('payments/events/reconcile', ['payments/events/reconcile-rounds', 'payments/events/reconcile']),
    act('payments/events/receive-event', ['payments/events/receive-event']),
  ];
}

/** The test with the most edge cases comes first, as its kills need no other. */
const act = (mutate: string | readonly string[], tests: readonly string[]): Group =>
  group(
    [mutate].flat().map((module) => `api/src/${module}.ts`),
    tests.map((test) => {
      const quick = `api/src/${test}.api.test.ts`;
      return existsSync(inProject(quick)) ? quick : `api/src/${test}.slow.test.ts`;
    }),
  );

/** `contract/src/money/money.ts` gives `money-money`. */
function group(mutate: readonly string[], tests: readonly string[]): Group {
  const missing = [...mutate, ...tests].filter((file) => !existsSync(inProject(file)));
  if (missing.length > 0)
    throw new Error(`tests/mutation/groups.ts names missing files: ${missing.join(', ')}`);
  const [first = ''] = mutate;
  const folder = basename(dirname(first));
  const needsDatabase = tests.some((test) => /\.(api|slow)\.test\.ts$/.test(test));
  return { name: `${folder}-${basename(first, '.ts')}`, mutate, tests, needsDatabase };
}
