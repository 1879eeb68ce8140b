import { resolveSooner } from './resolve-sooner.ts';

// `npm run doctor`. Status 1 when a check fails.
resolveSooner();
const [{ countWrong, writeReport }, { examineSettings }] = await Promise.all([
  import('#src/doctor/examine.ts'),
  import('./examine-settings.ts'),
]);
const reports = await examineSettings(process.env);
process.stdout.write(writeReport(reports));
process.exit(countWrong(reports) === 0 ? 0 : 1);
