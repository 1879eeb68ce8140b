import { readFileSync, writeFileSync } from 'node:fs';
import { writeEnvExample, writeSettingsTable } from './settings-documents.ts';

// What `npm run settings` runs, in the project's folder.
const table = /^\| name \| meaning \| default \|\n(?:\|.*\n)*/m;
const readme = readFileSync('README.md', 'utf8');
writeFileSync(
  'README.md',
  readme.replace(table, () => `${writeSettingsTable()}\n`),
);
writeFileSync('.env.example', writeEnvExample());
