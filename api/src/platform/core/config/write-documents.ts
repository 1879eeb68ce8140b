import { writeFileSync } from 'node:fs';
import { writeEnvExample, writeSettingsPage } from './settings-documents.ts';

// `npm run settings` runs this in the project's folder.
writeFileSync('docs/reference/settings.md', writeSettingsPage());
writeFileSync('.env.example', writeEnvExample());
