import type { Ignorer, NodePath } from '@stryker-mutator/api/ignore';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** As much of Babel's paths as is looked at. */
interface Path {
  node: { type: string; value?: unknown; key?: { name?: string } };
  parent: { type: string; key?: { name?: string }; callee?: Callee } | null;
  key: string | number | null;
  listKey?: string;
}
interface Callee {
  type: string;
  object?: { type: string; name?: string; property?: { name?: string } };
  property?: { name?: string };
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** What `/docs` shows to people: a changed word breaks nothing that a test should hold. */
const isProseOfACall = ({ node, parent }: Path) =>
  ['StringLiteral', 'TemplateLiteral'].includes(node.type) &&
  parent?.type === 'ObjectProperty' &&
  ['summary', 'description'].includes(parent.key?.name ?? '');

/** `log.warn({ … }, '…')`: what is said to whoever reads the log may change as well. */
function isLogged({ node, parent, listKey }: Path): boolean {
  if (listKey !== 'arguments' || !['StringLiteral', 'ObjectExpression'].includes(node.type)) return false;
  const { object, property } = parent?.callee ?? {};
  const logger = object?.name ?? object?.property?.name;
  return logger === 'log' && levels.includes(property?.name ?? '');
}

const prose: Ignorer = {
  shouldIgnore(path: NodePath) {
    if (isProseOfACall(path as Path)) return 'prose for the readers of /docs';
    if (isLogged(path as Path)) return 'a line of the log';
    return undefined;
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'prose', prose)];
