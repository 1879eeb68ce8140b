import type { Histogram } from 'prom-client';

type Labels = Record<string, string>;
type Values = Awaited<ReturnType<Histogram['get']>>;

export interface CountedHistogramDescription {
  name: string;
  help: string;
  /** Upper ends of the buckets, rising. */
  buckets: readonly number[];
}

/**
 * A histogram for what happens tens of thousands of times a second. The library looks its labels up anew for every
 * observation, which takes 0.4 µs; here a series is looked up once, and observing is an addition to an array.
 */
export interface CountedHistogram {
  /** A new series. Its labels are nobody else's. @returns observes a value */
  series(labels: Labels): (value: number) => void;
  /** As the registry reads it. */
  readonly metric: { readonly name: string; get(): Promise<Values> };
}

export function createCountedHistogram({
  name,
  help,
  buckets,
}: CountedHistogramDescription): CountedHistogram {
  const all: { labels: Labels; counts: Float64Array; sum: number }[] = [];
  return {
    series(labels) {
      // The last one is for what is above every end.
      const one = { labels, counts: new Float64Array(buckets.length + 1), sum: 0 };
      all.push(one);
      return (value) => {
        let index = 0;
        while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1;
        one.counts[index] = (one.counts[index] ?? 0) + 1;
        one.sum += value;
      };
    },
    metric: {
      name,
      async get() {
        const values = all.flatMap(({ labels, counts, sum }) => {
          let count = 0;
          const ofBuckets = [...buckets, '+Inf'].map((le, index) => {
            count += counts[index] ?? 0;
            return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
          });
          return [
            ...ofBuckets,
            { metricName: `${name}_sum`, labels, value: sum },
            { metricName: `${name}_count`, labels, value: count },
          ];
        });
        return { name, help, type: 'histogram', values, aggregator: 'sum' } as unknown as Values;
      },
    },
  };
}
