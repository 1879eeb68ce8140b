import type {
  Counter,
  CounterConfiguration,
  Gauge,
  GaugeConfiguration,
  Histogram,
  HistogramConfiguration,
} from 'prom-client';
import {
  type CountedHistogram,
  type CountedHistogramDescription,
  createCountedHistogram,
} from './counted-histogram.ts';

type Description<Configuration> = Omit<Configuration, 'registers' | 'collect' | 'aggregator'>;

/**
 * The figures of one shop, for Prometheus. What happens in this process is counted where it happens; what the database
 * knows is read when somebody asks (`beforeReading`), so that it is right after a restart and the same in every process.
 * Labels have few values that are known beforehand: never an id, an address or anything else that a caller chooses.
 */
export interface Metrics {
  counter<Label extends string>(about: Description<CounterConfiguration<Label>>): Counter<Label>;
  gauge<Label extends string>(about: Description<GaugeConfiguration<Label>>): Gauge<Label>;
  histogram<Label extends string>(about: Description<HistogramConfiguration<Label>>): Histogram<Label>;
  /** A histogram for what happens so often that the library would be felt. */
  countedHistogram(about: CountedHistogramDescription): CountedHistogram;
  /** Brings figures up to date each time that they are asked for. It must not throw, and take two seconds at most. */
  beforeReading(update: () => void | Promise<void>): void;
  /** Every figure, in Prometheus's text format. */
  read(): Promise<{ contentType: string; text: string }>;
}

/** An empty set of figures with those of the process: processor, memory, event loop. */
export async function createMetrics(): Promise<Metrics> {
  // A tenth of a second of loading, for those shops alone that are watched.
  const client = await import('prom-client');
  const registry = new client.Registry();
  const registers = [registry];
  const updates: (() => void | Promise<void>)[] = [];
  client.collectDefaultMetrics({ register: registry });
  return {
    counter: (about) => new client.Counter({ ...about, registers }),
    gauge: (about) => new client.Gauge({ ...about, registers }),
    histogram: (about) => new client.Histogram({ ...about, registers }),
    countedHistogram(about) {
      const histogram = createCountedHistogram(about);
      // The registry asks a metric for its name and its values alone.
      registry.registerMetric(histogram.metric as unknown as Histogram);
      return histogram;
    },
    beforeReading: (update) => void updates.push(update),
    async read() {
      await Promise.all(updates.map((update) => update()));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
