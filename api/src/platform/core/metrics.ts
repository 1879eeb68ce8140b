import type {
  Counter,
  CounterConfiguration,
  Gauge,
  GaugeConfiguration,
  Histogram,
  HistogramConfiguration,
} from 'prom-client';

type Description<Configuration> = Omit<Configuration, 'registers' | 'collect'>;

export type Figures = readonly object[];

/**
 * For Prometheus. Each scrape reads the database figures (`beforeReading`), so every process shows the
 * same; the other figures are summed. Labels are never an id or an address. Start a counter at 0, as
 * Prometheus sees no rise from a missing metric.
 */
export interface Metrics {
  counter<Label extends string>(about: Description<CounterConfiguration<Label>>): Counter<Label>;
  gauge<Label extends string>(about: Description<GaugeConfiguration<Label>>): Gauge<Label>;
  histogram<Label extends string>(about: Description<HistogramConfiguration<Label>>): Histogram<Label>;
  /** Must not throw, and take at most two seconds. */
  beforeReading(update: () => void | Promise<void>): void;
  collect(): Promise<Figures>;
  read(): Promise<{ contentType: string; text: string }>;
}

export type GatherFigures = (own: Figures) => Promise<readonly Figures[]>;

/** @param gather absent in a shop of one process */
export async function createMetrics(gather?: GatherFigures): Promise<Metrics> {
  // Loading takes 100 ms, so only monitored shops load it.
  const client = await import('prom-client');
  const registry = new client.Registry();
  const registers = [registry];
  const updates: (() => void | Promise<void>)[] = [];
  client.collectDefaultMetrics({ register: registry });
  const update = () => Promise.all(updates.map((one) => one()));
  const collect = async () => {
    await update();
    return registry.getMetricsAsJSON();
  };
  return {
    counter: (about) => new client.Counter({ ...about, registers }),
    gauge: (about) => new client.Gauge({ ...about, registers }),
    histogram: (about) => new client.Histogram({ ...about, registers }),
    beforeReading: (one) => void updates.push(one),
    collect,
    async read() {
      const { contentType } = registry;
      if (!gather) {
        await update();
        return { contentType, text: await registry.metrics() };
      }
      const all = await gather(await collect());
      const text = await client.AggregatorRegistry.aggregate([...all]).metrics();
      return { contentType, text };
    },
  };
}
