import type { Ignorer, NodePath } from '@stryker-mutator/api/ignore';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

interface Path {
  node: {
    type: string;
    value?: unknown;
    key?: { name?: string };
    expression?: { callee?: Callee };
    properties?: readonly { key?: { name?: string } }[];
  };
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

const isProse = (key: { name?: string } | undefined) => ['summary', 'description'].includes(key?.name ?? '');

/** Changed words in `/docs` break nothing. */
const isProseOfACall = ({ node, parent }: Path) =>
  (['StringLiteral', 'TemplateLiteral'].includes(node.type) &&
    parent?.type === 'ObjectProperty' &&
    isProse(parent.key)) ||
  (node.type === 'ObjectExpression' && isAllProse(node.properties));

/** `schema.register(z.globalRegistry, { description: '…' })` */
const isAllProse = (properties: Path['node']['properties'] = []) =>
  properties.length > 0 && properties.every(({ key }) => isProse(key));

/** `z.describe('…')` */
const isDescription = ({ node, parent, listKey }: Path) =>
  listKey === 'arguments' &&
  ['StringLiteral', 'TemplateLiteral'].includes(node.type) &&
  parent?.callee?.object?.name === 'z' &&
  parent.callee.property?.name === 'describe';

/** `log.warn({ … }, '…')`: log texts may change. */
function isLogged({ node, parent, listKey }: Path): boolean {
  if (listKey !== 'arguments' || !['StringLiteral', 'ObjectExpression'].includes(node.type)) return false;
  return levels.includes(findLevel(parent?.callee) ?? '');
}

/** Below `error`: tests hold that errors are logged. */
const isTold = ({ node }: Path) =>
  node.type === 'ExpressionStatement' &&
  ['warn', 'info', 'debug', 'trace'].includes(findLevel(node.expression?.callee) ?? '');

/** `info` in `services.log.info`. */
function findLevel({ object, property }: Callee = { type: '' }): string | undefined {
  const logger = object?.name ?? object?.property?.name;
  return logger === 'log' ? property?.name : undefined;
}

const prose: Ignorer = {
  shouldIgnore(path: NodePath) {
    if (isProseOfACall(path as Path) || isDescription(path as Path)) return 'prose for the readers of /docs';
    if (isLogged(path as Path) || isTold(path as Path)) return 'a line of the log';
    return undefined;
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'prose', prose)];
