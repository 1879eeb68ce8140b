import { constants, setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import {
  FileError,
  type ReadFile,
  readCatalogue,
  readCatalogueCsv,
} from '@parts-forge/contract/catalogue-file';
import { decodeText } from './decode-text.ts';
import type { FileAnswer } from './read-file.ts';
import { readWorkbook } from './read-workbook.ts';

// Loads no other part of the shop and knows no settings.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const content = await buffer(process.stdin);
const { lines, ...answer } = read();
process.stdout.write([answer, ...lines].map((each) => JSON.stringify(each)).join('\n'));

function read(): FileAnswer & Pick<ReadFile, 'lines'> {
  try {
    const { lines, ...file } = readContent();
    return { file, lines };
  } catch (error) {
    if (error instanceof FileError) return { refusal: error.message, lines: [] };
    throw error;
  }
}

function readContent(): ReadFile {
  const start = content.toString('latin1', 0, 4);
  if (start === 'ÐÏ\u0011à') {
    const isLocked = content.includes('EncryptedPackage', 0, 'utf16le');
    const kind = isLocked
      ? 'a workbook with a password. Remove it, or save it'
      : 'an old Excel workbook. Save it';
    throw new FileError(`This is ${kind} as XLSX or CSV.`);
  }
  if (start === 'PK\u0003\u0004') {
    const { rows, notes } = readWorkbook(content);
    return withNotes(readCatalogue(rows), notes);
  }
  const [, , declared] = process.argv;
  const { text, charset } = decodeText(content, declared);
  const note = `This file is not UTF-8. It was read as ${charset}: look at its letters with accents.`;
  return withNotes(readCatalogueCsv(text), charset.startsWith('utf') ? [] : [note]);
}

function withNotes(file: ReadFile, notes: readonly string[]): ReadFile {
  return { ...file, notes: [...notes, ...file.notes] };
}
