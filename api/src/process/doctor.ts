import { countWrong, writeReport } from '#src/doctor/examine.ts';
import { examineSettings } from './examine-settings.ts';

// `npm run doctor`. Status 1 when a check fails.
const reports = await examineSettings(process.env);
process.stdout.write(writeReport(reports));
process.exit(countWrong(reports) === 0 ? 0 : 1);
