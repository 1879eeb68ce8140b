import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createCountedHistogram } from './counted-histogram.ts';

test('it tells the same, to the letter, as a histogram of the library that was given the same values', async () => {
  const about = { name: 'seconds', help: 'How long it took.', buckets: [0.001, 0.5, 1] };
  const ours = createCountedHistogram(about);
  const theirs = new Histogram({ ...about, labelNames: ['route', 'status'], registers: [] });
  const series = [
    { labels: { route: '/product', status: '200' }, values: [0, 0.001, 0.0011, 0.5, 0.75, 1, 1.0001, 60] },
    { labels: { route: '/a "quoted" \\ one', status: '404' }, values: [0.25] },
  ];
  for (const { labels, values } of series) {
    const observe = ours.series(labels);
    for (const value of values) {
      observe(value);
      theirs.observe(labels, value);
    }
  }
  const write = async (metric: unknown) => {
    const registry = new Registry();
    registry.registerMetric(metric as Histogram);
    return registry.metrics();
  };
  expect(await write(ours.metric)).toBe(await write(theirs));
});
