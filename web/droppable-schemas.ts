import type { Plugin } from 'vite';

/** Kinds of expressions that make a schema or hold some. */
const made = new Set(['CallExpression', 'ObjectExpression']);

/**
 * Lets a page that only cuts a description to 90 characters do without the schemas that stand in the same file
 * of the contract, and so without the validation library (11 kB). Schemas are made at module level by chained
 * calls, which a bundler has to keep; wrapped in a function marked as pure, they go when nobody asks for them.
 */
export function droppableSchemas(): Plugin {
  return {
    name: 'droppable-schemas',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\/contract\/src\/.*\.ts$/ },
      handler(code) {
        const schemas = this.parse(code).body.flatMap((statement) => {
          const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
          if (declared?.type !== 'VariableDeclaration') return [];
          return declared.declarations.flatMap(({ init }) => (init && made.has(init.type) ? [init] : []));
        });
        let wrapped = code;
        for (const { start, end } of schemas.toReversed()) {
          wrapped = `${wrapped.slice(0, start)}/*#__PURE__*/ (() => (${wrapped.slice(start, end)}))()${wrapped.slice(end)}`;
        }
        return { code: wrapped, map: null };
      },
    },
  };
}
