const MAX_LINES = 50;
const MAX_BRANCHES = 10;

/** Long functions with many branches, and why each is better in one piece. */
const allowed = new Map([['api/src/invoices/sheet.ts openSheet', 'a closure over the position on the page']]);

const functions = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const branches = /^(?:If|Switch|For|ForIn|ForOf|While|DoWhile)Statement$|^(?:Conditional|Logical)Expression$/;

/** Refuses literals spread into literals, and functions that are both long and full of branches. */
export function createShapeCheck() {
  const mistakes = [];
  const unused = new Set(allowed.keys());

  function check(file, text, program) {
    const lineOf = (offset) => text.slice(0, offset).split('\n').length;
    for (const { node, name } of listNodes(program)) {
      if (spreadsLiteral(node))
        mistakes.push(`${file}:${lineOf(node.start)} Spreads a literal into a literal.`);
      if (!functions.test(node.type)) continue;
      const lines = text.slice(node.start, node.end).split('\n').length;
      const count = lines > MAX_LINES ? countBranches(node) : 0;
      if (count <= MAX_BRANCHES) continue;
      const shown = node.id?.name ?? name;
      unused.delete(`${file} ${shown}`);
      if (allowed.has(`${file} ${shown}`)) continue;
      mistakes.push(`${file}:${lineOf(node.start)} Split ${shown}: ${lines} lines, ${count} branches.`);
    }
  }

  const listMistakes = () => [
    ...mistakes,
    ...Array.from(unused, (name) => `Not to be allowed any more (scripts/code-shape.mjs): ${name}`),
  ];
  return { check, listMistakes };
}

/** `name` is that of the variable or property that holds the node. */
function* listNodes(node, name = 'a function') {
  if (node === null || typeof node !== 'object') return;
  if (node.type) yield { node, name };
  const inner = node.type ? (node.id?.name ?? node.key?.name ?? name) : name;
  for (const value of Object.values(node)) yield* listNodes(value, inner);
}

/** A `switch` counts once for each of its cases. */
function countBranches(node) {
  let count = 0;
  for (const { node: each } of listNodes(node)) {
    if (each.type === 'SwitchStatement') count += each.cases.filter(({ test }) => test).length;
    else if (branches.test(each.type)) count += 1;
  }
  return count;
}

const spreadsLiteral = ({ type, properties, elements }) =>
  (type === 'ObjectExpression' && properties.some((each) => isSpread(each, 'ObjectExpression'))) ||
  (type === 'ArrayExpression' && elements.some((each) => isSpread(each, 'ArrayExpression')));

const isSpread = (element, type) => element?.type === 'SpreadElement' && element.argument.type === type;
