import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { aDueOrder } from '#test/paying.ts';
import { useShop } from '#test/use-shop.ts';
import { listJobs } from './jobs.ts';
import { refunds } from './payments/schema.ts';
import { runJobs } from './platform/jobs/run-jobs.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const token = 'reads-the-figures';
/** The shop's figures after a bit of everything. */
let figures: string;
const shop = useShop({ env: { METRICS_TOKEN: token } });
beforeAll(async () => {
  const stop = await runJobs(shop.services, listJobs(shop.services));
  await stop();
  // Only now, as a job would complete them.
  for (const state of ['pending', 'failed'] as const) {
    const { customer, order } = await aDueOrder(shop);
    const paymentId = await customer.pays(order);
    const id = shop.services.ids.next();
    const refund = { id, paymentId, orderId: order._id, amountCents: 1, state };
    await shop.db.insert(refunds).values(refund);
  }
  figures = (await shop.request('/metrics', { token })).body;
});

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}
const alerts = read('deploy/monitoring/alerts.yml');
const dashboard: Dashboard = JSON.parse(read('deploy/monitoring/dashboard.json'));
const dashboardExpressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
/** All alerts and the dashboard's expressions; names in them that look like figures must be figures. */
const expressions = `${alerts}\n${dashboardExpressions.join('\n')}`;

/** The names that Prometheus stores for the shop's figures; a histogram has three. */
const listNames = () =>
  [...figures.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
const listUsedNames = (text: string) => new Set(text.match(/\b(shop|nodejs|process)_\w+/g));

test('every figure in the alerts and the dashboard exists', () => {
  const names = new Set(listNames());
  const used = listUsedNames(expressions);
  expect(used.size).toBeGreaterThan(20);
  expect([...used].filter((name) => !names.has(name))).toEqual([]);
});

test('every figure of the shop itself is on the dashboard', () => {
  const shown = listUsedNames(dashboardExpressions.join('\n'));
  const isShown = (name: string) => shown.has(name) || shown.has(name.replace(/_(sum|bucket)$/, '_count'));
  expect(listNames().filter((name) => name.startsWith('shop_') && !isShown(name))).toEqual([]);
});

test('every label in the alerts and the dashboard exists, with its value', () => {
  const chosen = [...expressions.matchAll(/\b(shop_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', list = '']) =>
    [...list.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label, operator, value]) => ({
      name,
      label,
      operator,
      value,
    })),
  );
  expect(chosen.length).toBeGreaterThan(8);
  const isGiven = ({ name, label, operator, value }: (typeof chosen)[number]) => {
    const values = operator === '=' ? value : '[^"]*';
    return new RegExp(`^${name}\\{([^}]*,)?${label}="${values}"`, 'm').test(figures);
  };
  expect(chosen.filter((choice) => !isGiven(choice))).toEqual([]);
});

test('every job but the daily one has a lateness alert', () => {
  const named = [...alerts.matchAll(/last_done_timestamp_seconds\{name=~"([^"]+)"/g)].flatMap(
    ([, list = '']) => list.split('|'),
  );
  const frequent = listJobs(shop.services).filter(({ cron }) => /^\S+ \* \* \* \*$/.test(cron));
  expect(named.toSorted()).toEqual(frequent.map(({ name }) => name).toSorted());
});

test('each alert has a paragraph in docs/guides/operating.md and both cases', () => {
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const paragraphs = [...read('docs/guides/operating.md').matchAll(/^### (Shop\w+)/gm)].map(
    ([, name]) => name,
  );
  expect(paragraphs).toEqual(names);
  const cases = read('deploy/monitoring/alerts.test.yml').split('\n  # ').slice(1);
  for (const name of names) {
    const ofAlert = cases.filter((text) => new RegExp(`alertname: ${name}$`, 'm').test(text));
    expect(ofAlert.some((text) => text.includes('exp_labels'))).toBe(true);
    expect(ofAlert.some((text) => text.includes('exp_alerts: []'))).toBe(true);
  }
});
