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

/** Every module with a unit test of its own beside it: a new one is mutated without being named here. */
function listRules(): Group[] {
  const tests = globSync('{contract/src,api/src}/**/*.test.ts', { cwd: root })
    .filter((test) => !test.endsWith('.api.test.ts') && !isExcluded(test))
    .sort();
  const modules = tests
    .map((test) => ({ test, source: test.replace(/\.test\.ts$/, '.ts') }))
    .filter(({ source }) => existsSync(inProject(source)));
  return [
    ...modules.map(({ test, source }) =>
      group([source], describesCalls.test(source) ? [test, calls] : [test]),
    ),
    group(['contract/src/call.ts', 'contract/src/images.ts'], [calls]),
    group([`${payments}/stripe-objects.ts`, `${payments}/stripe-errors.ts`], [`${payments}/stripe.test.ts`]),
  ];
}

const calls = 'contract/src/calls.test.ts';
const payments = 'api/src/payments';
/** Their descriptions of calls are held by the table of all calls. */
const describesCalls = /^contract\/src\/(orders|products|reviews|users|identity|payments)\.ts$/;

/** Processes that are started and ended; the card sandbox, which is no part of a real shop. */
const isExcluded = (test: string) => /^api\/src\/(process|payments\/sandbox)\//.test(test);

/** What only the whole shop with its database shows. */
function listWithDatabase(): Group[] {
  const [orders, identity] = ['api/src/orders', 'api/src/identity'];
  const place = `${orders}/place-order.api.test.ts`;
  const read = `${orders}/read-orders.api.test.ts`;
  const cancel = `${orders}/cancel-order.api.test.ts`;
  const accept = `${orders}/accept-payment.api.test.ts`;
  const pay = `${payments}/pay-for-an-order.api.test.ts`;
  const races = `${payments}/races.api.test.ts`;
  const events = `${payments}/receive-event.api.test.ts`;
  const reconcile = `${payments}/reconcile.api.test.ts`;
  const products = 'api/src/products/products.api.test.ts';
  const manage = 'api/src/products/manage-products.api.test.ts';
  return [
    group([`${orders}/store.ts`, `${orders}/routes.ts`], [read, accept, pay, place, cancel]),
    group([`${orders}/place-order.ts`], [place]),
    group([`${orders}/cancel-order.ts`], [cancel]),
    group([`${orders}/accept-payment.ts`], [accept]),
    group([`${payments}/open-payment.ts`], [pay, races]),
    group([`${payments}/record-payment.ts`], [pay, races]),
    group([`${payments}/settle-or-refund.ts`], [pay, events, reconcile, races]),
    group([`${payments}/store.ts`, `${payments}/routes.ts`], [pay, events, reconcile, cancel]),
    group([`${payments}/order-payments.ts`], [cancel, accept]),
    group([`${payments}/reconcile.ts`], [reconcile]),
    group([`${payments}/receive-event.ts`], [events]),
    group(['api/src/products/store.ts', 'api/src/products/routes.ts'], [products, manage]),
    group(
      ['api/src/users/store.ts', 'api/src/users/routes.ts', 'api/src/users/delete-user.ts'],
      ['api/src/users/users.api.test.ts'],
    ),
    group([`${identity}/access-token.ts`], [`${identity}/access-token.api.test.ts`]),
    group([`${identity}/exchange-identity.ts`], [`${identity}/exchange-identity.api.test.ts`]),
    group([`${identity}/administrators.ts`], [`${identity}/administrators.api.test.ts`]),
    group(
      ['api/src/platform/database/change-feed.ts'],
      ['api/src/platform/database/change-feed.api.test.ts'],
    ),
    group(['api/src/platform/database/find-page.ts'], [products]),
    group(['api/src/pages/routes.ts'], ['api/src/pages/pages.api.test.ts']),
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
