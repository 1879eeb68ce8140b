import { constants, setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { FileError, type FileRow } from '@parts-forge/contract/files/table';
import { holdCurrency } from '@parts-forge/contract/money/currency';
import { decodeText } from './decode-text.ts';
import type { FileAnswer, Files, FileUse } from './read-file.ts';
import { readListRows, readListText } from './read-list.ts';

/** PDF, rich text, web pages (some end in `.xls`) and pictures. */
const otherFile = /^(?:%PDF-|\{\\rtf|<|‰PNG|ÿØÿ|GIF8|RIFF|.{4}ftyp)/s;

/** Bytes; V8's limit does not count what a PDF unpacks: 5 KB of one may take a gigabyte. */
const MAX_MEMORY = 400 * 1024 ** 2;
const [, , as = '', declared, currency = '', cpuMs] = process.argv;
// Reading blocks this thread. The signal of spent processor time leaves no core dump, as SIGXCPU would.
const watch = `setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (user + system > ${cpuMs} * 1000) process.kill(process.pid, 'SIGVTALRM');
  if (process.memoryUsage.rss() > ${MAX_MEMORY}) process.kill(process.pid, 'SIGKILL');
}, 50)`;
new Worker(watch, { eval: true }).unref();

// Loads no other part of the shop and knows no settings but the currency.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
type File = Files[FileUse];
interface Reader {
  readTable: (rows: readonly FileRow[]) => File;
  readText: (text: string) => File;
}
/** Each loads its own modules only: schemas take 25 MB. */
const readers: Readonly<Record<FileUse, () => Promise<Reader>>> = {
  async catalogue() {
    const file = await import('@parts-forge/contract/files/catalogue-file');
    return { readTable: file.readCatalogue, readText: file.readCatalogueCsv };
  },
  async parcels() {
    const file = await import('@parts-forge/contract/files/parcel-file');
    return { readTable: file.readParcelRows, readText: file.readParcelCsv };
  },
  async aliases() {
    const file = await import('@parts-forge/contract/files/alias-file');
    return { readTable: file.readAliasRows, readText: file.readAliasCsv };
  },
  list: async () => ({ readTable: readListRows, readText: readListText }),
};
holdCurrency(currency);
const { readTable, readText } = await readers[as as FileUse]();
const content = await buffer(process.stdin);
const { lines, ...answer } = await read();
process.stdout.write([answer, ...lines].map((each) => JSON.stringify(each)).join('\n'));

async function read(): Promise<FileAnswer<File> & { lines: readonly unknown[] }> {
  try {
    const { lines, ...file } = await readContent();
    return { file, lines };
  } catch (error) {
    if (error instanceof FileError) return { refusal: error.message, lines: [] };
    throw error;
  }
}

async function readContent(): Promise<File> {
  const start = content.toString('latin1', 0, 4);
  if (start === 'ÐÏ\u0011à') {
    const has = (name: string) => content.includes(name, 0, 'utf16le');
    if (has('EncryptedPackage'))
      throw new FileError('This is a workbook with a password. Remove it, or save it as XLSX or CSV.');
    const kind = has('WordDocument') ? 'a Word document' : 'an old Excel workbook';
    throw new FileError(`This is ${kind}. Save it as XLSX or CSV.`);
  }
  if (start === 'PK\u0003\u0004') {
    const { readWorkbook } = await import('./read-workbook.ts');
    const { rows, notes } = readWorkbook(content);
    return withNotes(readTable(rows), notes);
  }
  if (start === '%PDF' && as === 'list') {
    const { readPdf } = await import('./read-pdf.ts');
    return readPdf(content);
  }
  const { text, charset } = decodeText(content, declared);
  // A customer's list may be any file. Catalogues name each cell with such a letter.
  const isBinary = as === 'list' && text.slice(0, 4096).includes('\0');
  if (isBinary || otherFile.test(text.trimStart()))
    throw new FileError('This is no table. Save it as XLSX or CSV.');
  const note = `This file is not UTF-8. It was read as ${charset}: look at its letters with accents.`;
  return withNotes(readText(text), charset.startsWith('utf') ? [] : [note]);
}

function withNotes(file: File, notes: readonly string[]): File {
  return { ...file, notes: [...notes, ...file.notes] };
}
