import { globSync, readFileSync } from 'node:fs';
import { isSafe } from 'redos-detector';
import { parseSync } from 'vite';
import { createShapeCheck } from './code-shape.mjs';
import { inProject, root } from './project.mjs';

// Part of `npm run lint`: a hostile text could block the process. The same reading checks the code's shape.

/** Steps, not time: the same result on a busy machine. */
const MAX_STEPS = 20_000;

/** May backtrack, and why that is harmless. */
const allowed = new Map([
  ['/=+$/', 'the end of a hash of ours in base64'],
  ['/^Cpus_allowed_list:.*?(\\d+)$/m', 'a file of the kernel'],
  ['/^\\(?\\+?[0-9()/. -]+$/', 'a search of 100 characters at most'],
  ['/^([a-z0-9-]+\\.)+[a-z]{2,}$/', 'a setting'],
  [
    '/^(?:(?<name>[^<>"\\p{Cc}]{1,80}?)\\s*<(?<inBrackets>[^\\s<>@:;,()]+@[^\\s<>@:;,().]+(?:\\.[^\\s<>@:;,().]+)+)>|(?<bare>[^\\s<>@:;,()]+@[^\\s<>@:;,().]+(?:\\.[^\\s<>@:;,().]+)+))$/u',
    'a setting',
  ],
  [
    '/<script(?<attributes>(?:\\s[^>]*)?)>(?<code>[\\s\\S]*?)<\\/script>/g',
    'a page that the shop rendered; texts of people have no < in it',
  ],
  [
    '/^(?<stem>.*\\/images\\/(?<hash>[0-9a-f]{64}))-1280\\.webp$/',
    'an address of 2,048 characters at most; its only repetition is anchored',
  ],
  ['/\\/+$/', 'a setting'],
  ['/[\\r\\n]+$/', 'a file of a secret'],
  ['/"[\\s\\S]*"/', 'a message of PostgreSQL, of which values are taken out'],
  ['/\\bVersion\\/.*\\bSafari\\//', 'the name of the visitor’s own browser, in that browser'],
  ['/<([^>]+)>;\\s*rel="next"/', 'a header of the shop’s answer, in the browser'],
  ['/<style>(.*?)<\\/style>/gs', 'a mail that the shop wrote'],
  ['/<Code>(?<code>\\w{1,60})<\\/Code>/', 'an answer of the storage to the doctor'],
  ['/<Region>(?<region>[a-z0-9-]{1,40})<\\/Region>/', 'an answer of the storage to the doctor'],
  ["/expecting '(?<region>[a-z0-9-]{1,40})'/", 'an answer of the storage to the doctor'],
  [
    '/^(?:[0-3]?\\d[-.]?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[-.]?(?:\\d\\d?,?)?(?:20\\d\\d)?$/i',
    'a parcel’s number of 60 characters at most',
  ],
]);

const unused = new Set(allowed.keys());
const found = [];
const shape = createShapeCheck();
const isTest = (path) => /\.test\.tsx?$/.test(path);
for (const file of globSync('{contract/src,api/src,web/app}/**/*.{ts,tsx}', { cwd: root, exclude: isTest })) {
  const text = readFileSync(inProject(file), 'utf8');
  const { program } = parseSync(file, text);
  shape.check(file.replaceAll('\\', '/'), text, program);
  for (const { regex, start } of listExpressions(program)) {
    const written = `/${regex.pattern}/${regex.flags}`;
    if (isLinear(regex)) continue;
    unused.delete(written);
    if (!allowed.has(written)) found.push(`${file}:${text.slice(0, start).split('\n').length} ${written}`);
  }
}
for (const line of found) console.error(`May backtrack: ${line}`);
for (const written of unused)
  console.error(`Not to be allowed any more (scripts/check-expressions.mjs): ${written}`);
const mistakes = shape.listMistakes();
for (const line of mistakes) console.error(line);
process.exitCode = found.length + unused.size + mistakes.length > 0 ? 1 : 0;

function* listExpressions(node) {
  if (node === null || typeof node !== 'object') return;
  if (node.type === 'Literal' && node.regex) yield node;
  for (const inner of Object.values(node)) yield* listExpressions(inner);
}

/** The detector knows named groups only with `u`, and `u` only without `i`; neither matters here. */
function isLinear({ pattern, flags }) {
  const plain = flags.replace(/[iuvg]/g, '');
  for (const tried of [flags.replace('v', 'u'), `${plain}u`, plain]) {
    try {
      return isSafe(new RegExp(pattern, tried), { maxSteps: MAX_STEPS, timeout: Number.POSITIVE_INFINITY })
        .safe;
    } catch {
      // The next flags may be known.
    }
  }
  return false;
}
