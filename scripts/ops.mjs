import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ended, StepFailed, startChild } from './child-processes.mjs';
import { inProject } from './project.mjs';
import { asCommand } from './set-up.mjs';

// `npm run ops`. api/src/ops.api.test.ts checks that the metrics exist.
const missing =
  'promtool is missing. It comes with Prometheus: `apt install prometheus` on Debian, `brew install prometheus` on macOS,\n' +
  'or https://prometheus.io/download. PROMTOOL names one that is not on the PATH.';

await asCommand(async () => {
  const statuses = [
    await promtool('check', 'config', '--syntax-only', 'prometheus.yml'),
    await promtool('check', 'rules', 'alerts.yml'),
    await promtool('test', 'rules', 'alerts.test.yml'),
    await promtool('check', 'rules', writeDashboardRules()),
  ];
  return statuses.every((status) => status === 0) ? 0 : 1;
});

async function promtool(...args) {
  const child = startChild(process.env.PROMTOOL || 'promtool', args, {
    cwd: inProject('deploy', 'monitoring'),
  });
  try {
    return await ended(child);
  } catch (error) {
    if (error.code === 'ENOENT') throw new StepFailed(missing);
    throw error;
  }
}

/** As rules, which the tool can read. */
function writeDashboardRules() {
  const { panels } = JSON.parse(readFileSync(inProject('deploy', 'monitoring', 'dashboard.json'), 'utf8'));
  const rules = panels.flatMap(({ id, targets = [] }) =>
    targets.map(({ refId, expr }) => ({
      record: `dashboard:panel_${id}:${refId}`,
      expr: expr.replaceAll('$__rate_interval', '1m'),
    })),
  );
  const file = inProject('.cache', 'dashboard-rules.yml');
  mkdirSync(inProject('.cache'), { recursive: true });
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  return file;
}
