import { writeCallsPage } from './calls-page.ts';
import { writeMetricsPage } from './metrics-page.ts';
import { writeRefusalsPage } from './refusals-page.ts';
import { writeEnvExample, writeSettingsPage } from './settings-documents.ts';

/** Every generated document, by its path in the project. */
export const buildDocuments = async (): Promise<Record<string, string>> => ({
  '.env.example': writeEnvExample(),
  'docs/reference/calls.md': writeCallsPage(),
  'docs/reference/metrics.md': await writeMetricsPage(),
  'docs/reference/refusals.md': writeRefusalsPage(),
  'docs/reference/settings.md': writeSettingsPage(),
});
