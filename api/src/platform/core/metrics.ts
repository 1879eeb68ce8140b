import type {
  Counter,
  CounterConfiguration,
  Gauge,
  GaugeConfiguration,
  Histogram,
  HistogramConfiguration,
} from 'prom-client';

type Description<Configuration> = Omit<Configuration, 'registers' | 'collect'>;

/** The figures of one process, as they travel to another one. */
export type Figures = readonly object[];

/**
 * The figures of one shop, for Prometheus. What happens in this process is counted where it happens; what the database
 * knows is read when somebody asks (`beforeReading`), so that it is right after a restart and the same in every process.
 * Labels have few values that are known beforehand: never an id, an address or anything else that a caller chooses.
 *
 * Where a shop has several processes their figures are added up, unless a figure has another `aggregator`: `first` is for
 * what the database knows.
 */
export interface Metrics {
  counter<Label extends string>(about: Description<CounterConfiguration<Label>>): Counter<Label>;
  gauge<Label extends string>(about: Description<GaugeConfiguration<Label>>): Gauge<Label>;
  histogram<Label extends string>(about: Description<HistogramConfiguration<Label>>): Histogram<Label>;
  /** Brings figures up to date each time that they are asked for. It must not throw, and take two seconds at most. */
  beforeReading(update: () => void | Promise<void>): void;
  /** Every figure of this process. */
  collect(): Promise<Figures>;
  /** Every figure of the shop, in Prometheus's text format. */
  read(): Promise<{ contentType: string; text: string }>;
}

/** Adds the figures of a shop's other processes to those of this one. */
export type GatherFigures = (own: Figures) => Promise<readonly Figures[]>;

/**
 * An empty set of figures with those of the process: processor, memory, event loop.
 * @param gather absent: the shop is this process
 */
export async function createMetrics(gather?: GatherFigures): Promise<Metrics> {
  // A tenth of a second of loading, for those shops alone that are watched.
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
