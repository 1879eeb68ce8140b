import Fastify from 'fastify';
import { measureMails } from '#src/mail/mailer.ts';
import { measureProvider } from '#src/payments/provider/measure-provider.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { createMetrics, type Metrics } from '#src/platform/core/metrics.ts';
import { createEventStreams } from '#src/platform/http/events/event-streams.ts';
import { measureRequests } from '#src/platform/http/request-metrics.ts';
import { measureJobs } from '#src/platform/jobs/measure-jobs.ts';
import { measureShop } from '#src/shop-metrics.ts';

interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  labelNames?: readonly string[];
}

/** The whole of `docs/reference/metrics.md`. */
export async function writeMetricsPage(): Promise<string> {
  const rows = (await listMetrics())
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ name, type, labelNames = [], help }) => {
      const labels = labelNames.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${labels} | ${help} |`;
    });
  return `${[PAGE_HEAD, ['| name | type | labels | meaning |', '|---|---|---|---|', ...rows].join('\n')].join('\n\n')}\n`;
}

const PAGE_HEAD = `# Metrics

Look up a metric of \`GET /metrics\`, for a dashboard or an alert. [Operating](../guides/operating.md) says which alert needs which act, [state-metrics.ts](../../api/src/state-metrics.ts) why some figures come from the database.

- Prometheus sends \`METRICS_TOKEN\` as a bearer token; without that setting there is no \`/metrics\`.
- Prometheus's usual \`process_…\` and \`nodejs_…\` metrics are there, too ([prom-client](https://github.com/siimon/prom-client#default-metrics)).
- A histogram has \`_bucket\`, \`_sum\` and \`_count\`; durations are in seconds.
- \`npm run reference\` writes this page from the places that measure.`;

/** Runs every function that declares metrics. None measures before a scrape, so empty stand-ins do. */
async function listMetrics(): Promise<Metric[]> {
  const listed: Metric[] = [];
  const real = await createMetrics();
  const metrics: Metrics = {
    ...real,
    counter(about) {
      listed.push({ type: 'counter', ...about });
      return real.counter(about);
    },
    gauge(about) {
      listed.push({ type: 'gauge', ...about });
      return real.gauge(about);
    },
    histogram(about) {
      listed.push({ type: 'histogram', ...about });
      return real.histogram(about);
    },
  };
  const app = Fastify();
  measureRequests(app, metrics);
  createEventStreams(app, readConfig({}), metrics);
  measureJobs(metrics, []);
  measureMails(metrics);
  measureProvider({} as never, metrics);
  measureShop({ database: {} as never }, metrics, {} as never);
  return listed;
}
