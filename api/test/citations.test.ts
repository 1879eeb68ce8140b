import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const made = new Set(['node_modules', 'build', '.react-router', '.cache', 'data']);
const sources = globSync('{api,bench,contract,packages,scripts,tests,web}/**/*.{ts,tsx,css,js,mjs}', {
  cwd: root,
  exclude: (entry) => made.has(entry.split(/[/\\]/).at(-1) ?? ''),
});

// `specification` and `contract`, with an optional chapter, are documents.
const documentOf: Record<string, string> = {
  contract: 'docs/explanation/contract.md',
  specification: 'docs/specification.md',
};
const citation = /(docs\/[\w/-]+\.md|\bcontract|\bspecification)(?: §(\d+))?(?:, "([^"]+)")?/g;

const headings = new Map<string, string[]>();
function listHeadings(document: string): string[] {
  const known = headings.get(document);
  if (known) return known;
  const file = join(root, document);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const found = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  headings.set(document, found);
  return found;
}

/** Citations without a target. */
function danglingIn(file: string): string[] {
  // A citation may wrap in a comment.
  const text = readFileSync(join(root, file), 'utf8').replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
  return [...text.matchAll(citation)]
    .filter(([, name = '', chapter, section]) => {
      const isPath = name.startsWith('docs/');
      if (!isPath && chapter === undefined && section === undefined) return false;
      const present = listHeadings(documentOf[name] ?? name);
      const has = (start: string) => present.some((heading) => heading.startsWith(start));
      return present.length === 0 || !has(section ?? '') || !has(chapter === undefined ? '' : `${chapter}.`);
    })
    .map(([whole]) => `${file}: ${whole}`);
}

test('documents and sections cited in code exist', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(sources.flatMap(danglingIn)).toEqual([]);
});

const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })];
// A path from the root, or a bare name.
const fileName =
  /`((?:api|bench|contract|docs|packages|scripts|tests|web)\/[\w./-]+|[\w.-]+\.(?:tsx?|m?js))`/g;

test('files and folders named in documents exist', () => {
  const names = new Set(sources.map((file) => basename(file)));
  const isThere = (name: string) =>
    // The number alone names a decision.
    name.includes('/') ? globSync(`${name}*`, { cwd: root }).length > 0 : names.has(name);
  const named = documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(fileName)].map(([, name = '']) => ({
      document,
      name,
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
});

const pages = ['*.md', '{api,bench,deploy,docs,packages,tests}/**/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root, exclude: (entry) => made.has(entry.split(/[/\\]/).at(-1) ?? '') }),
);
const link = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
/** As on GitHub and GitLab. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

test('relative links in documents lead to a file and heading', () => {
  const links = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(link)].map(([, path = '', anchor]) => ({
      page,
      target: path === '' ? page : join(dirname(page), path),
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  const leadsSomewhere = ({ target, anchor }: (typeof links)[number]) =>
    existsSync(join(root, target)) &&
    (anchor === undefined || listHeadings(target).map(toAnchor).includes(anchor));
  expect(links.filter((each) => !leadsSomewhere(each))).toEqual([]);
});

const named = pages.filter((page) => page !== 'docs/specification.md' && !/^docs.reference/.test(page));
const calls = new Set(
  [...readFileSync(join(root, 'docs/reference/calls.md'), 'utf8').matchAll(/^### ([A-Z]+ \/.*)$/gm)].map(
    ([, name]) => name,
  ),
);
/** Code blocks, headings and links. */
const unread = /^```[\s\S]*?^```|^ {4}.*$|^#.*$|\[(?:[^[\]]|\[[^\]]*\])*\]\([^)]*\)/gm;

test('documents link each file and call that they name', () => {
  expect(calls.size).toBeGreaterThan(50);
  const unlinked = named.flatMap((page) =>
    [
      ...readFileSync(join(root, page), 'utf8')
        .replace(unread, '')
        .matchAll(/`([^`]+)`/g),
    ]
      .map(([, name = '']) => name)
      .filter((name) => calls.has(name) || (/^\w+\/[\w./-]+$/.test(name) && existsSync(join(root, name))))
      .map((name) => `${page}: ${name}`),
  );
  expect(unlinked).toEqual([]);
});
