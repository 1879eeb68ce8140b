import { writeFileSync } from 'node:fs';
import { buildDocuments } from './documents.ts';

// `npm run reference` runs this in the project's folder.
for (const [file, text] of Object.entries(await buildDocuments())) writeFileSync(file, text);
