import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { inProject, root } from './project.mjs';

// Checks the rules of "How we write" in CONTRIBUTING.md that need no person.
const MAX_WORDS = 12;
/** Such a title is no sentence by itself. */
const fragment = /^(and|but|or|nor|so|yet|which|who|whom|whose|that|than|what|of|not|also)\b/i;
const unused = /\b(whoever|whomever|whatever|whichever|anew|that which)\b/i;
const unread = new Set(['node_modules', 'build', 'data', '.cache', '.react-router', 'migrations']);
const find = (pattern) =>
  globSync(pattern, { cwd: root, exclude: (path) => unread.has(path.split(/[\\/]/).at(-1)) }).sort();

const tests = find('{api,contract,packages,scripts,tests,web}/**/*.{test,spec}.{ts,tsx,mjs}');
const texts = find(
  '{*.md,{api,bench,contract,deploy,docs,packages,scripts,tests,web}/**/*.{css,js,md,mjs,ts,tsx}}',
);
/** Contain the owner's words, the glossary, and this list. */
const exempt = new Set(['docs/specification.md', 'CONTRIBUTING.md', 'scripts/check-words.mjs']);

const mistakes = [
  ...tests.flatMap((file) => listTitles(file).flatMap((title) => judgeTitle(file, title))),
  ...texts.filter((file) => !exempt.has(file.replaceAll('\\', '/'))).flatMap(listUnusedWords),
];
for (const mistake of mistakes) process.stdout.write(`${mistake}\n`);
process.exitCode = mistakes.length > 0 ? 1 : 0;

/** Also behind `.each(…)`, `.skipIf(…)` and the like. */
function listTitles(file) {
  const text = readFileSync(inProject(file), 'utf8');
  const titles = [];
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (findName(callee) !== 'test') return;
      if (title?.type === 'Literal' && typeof title.value === 'string') titles.push(title.value);
      if (title?.type === 'TemplateLiteral')
        titles.push(title.quasis.map(({ value }) => value.cooked).join('…'));
    },
  }).visit(parseSync(file, text).program);
  return titles;
}

function findName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  return findName(callee.object ?? callee.callee ?? callee.tag ?? { type: 'Identifier' });
}

function judgeTitle(file, title) {
  const words = title.trim().split(/\s+/).length;
  return [
    ...(words > MAX_WORDS ? [`${file}: a title of ${words} words: "${title}"`] : []),
    ...(fragment.test(title) ? [`${file}: a title that is no sentence by itself: "${title}"`] : []),
  ];
}

function listUnusedWords(file) {
  return readFileSync(inProject(file), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const word = unused.exec(line)?.[0];
      return word ? [`${file}:${index + 1}: a word that we do not use: ${word}`] : [];
    });
}
