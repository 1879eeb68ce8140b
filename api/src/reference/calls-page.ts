import { type Call, tags } from '@parts-forge/contract/calls/call';
import { calls } from '@parts-forge/contract/calls/calls';
import type { Policy } from '@parts-forge/contract/calls/policies';
import { entities } from './entities.ts';
import { listFields, outline, pagingNames, type Shape, toShape } from './shapes.ts';
import { linkToFile } from './source-links.ts';

const entries = Object.entries(calls) as [string, Call][];

/** The whole of `docs/reference/calls.md`. */
export function writeCallsPage(): string {
  const sections = Object.entries(tags).map(([tag, about]) => {
    const ofTag = entries.filter(([, call]) => call.tag === tag);
    const files = new Set(ofTag.map(([name]) => linkToFile(name)));
    return [
      `## ${tag}`,
      `${about} Source: ${[...files].join(', ')}.`,
      ...ofTag.map(([, call]) => writeCall(call)),
    ].join('\n\n');
  });
  return `${[PAGE_HEAD, ...sections].join('\n\n')}\n`;
}

const listEntities = (): string =>
  Object.entries(entities)
    .map(([name, { source }]) => `\`${name}\` (${linkToFile(source)})`)
    .join(', ');

const PAGE_HEAD = `# Calls

Look up a call: who may make it, what it takes, answers and refuses. [Refusals](refusals.md) has every code, [contract](../explanation/contract.md) the rules that all calls share. A running shop shows the same with the bounds of each field at \`/docs\`, and programs read them at \`/openapi.json\`.

- A field that ends in \`?\` is optional.
- Objects that several answers have: ${listEntities()}.
- *Refuses* lists a call's own codes. The caller, the body and the load add those that every call can answer.
- \`npm run reference\` writes this page from [the descriptions of the calls](../../contract/src/calls/calls.ts).`;

function writeCall(call: Call): string {
  const { method, summary, description, problems = [], policy } = call;
  const rows = [
    ['For', describeCaller(policy)],
    ['Key with', (policy.scopes ?? []).map((scope) => `\`${scope}\``).join(' or ')],
    ['Query', listNames(call.query && toShape(call.query, 'input'))],
    ['Headers', writeHeaders(call)],
    [
      'Body',
      call.multipart
        ? `file \`${call.multipart.field}\``
        : listNames(call.body && toShape(call.body, 'input')),
    ],
    ['Answers', writeAnswer(call)],
    ['Limit', call.rateLimit ? `${call.rateLimit.requests} in ${call.rateLimit.seconds} s` : ''],
    ['Refuses', writeRefusals(problems)],
  ].filter(([, value]) => value !== '');
  return [
    `### ${method} ${formatPath(call)}`,
    `**${summary}.** ${description ?? ''}`.trim(),
    rows.map(([label, value]) => `- ${label}: ${value}`).join('\n'),
  ].join('\n\n');
}

/** Every call can be `unavailable`. */
const writeRefusals = (codes: readonly string[]): string =>
  codes
    .filter((code) => code !== 'unavailable')
    .map((code) => `\`${code}\``)
    .join(', ');

export const formatPath = ({ path }: Pick<Call, 'path'>): string => path.replace(/:(\w+)/g, '{$1}');

/** Without `limit` and `after`, which *paged* means. */
const listNames = (shape: Shape | undefined): string =>
  shape
    ? listFields(shape)
        .filter(([name]) => !pagingNames.has(name))
        .map(([name, required]) => `\`${required ? name : `${name}?`}\``)
        .join(', ')
    : '';

const writeHeaders = ({ headers = {} }: Call): string =>
  Object.entries(headers)
    .map(([name, { required }]) => `\`${name}${required ? '' : '?'}\``)
    .join(', ');

function writeAnswer(call: Call): string {
  if (call.empty) return '204';
  if (call.events) {
    const events = Object.entries(call.events);
    return events.map(([name, schema]) => `\`${name}\` \`${outline(toShape(schema, 'output'))}\``).join(', ');
  }
  const text = outline(toShape(call.answer, 'output'));
  return `\`${text}\`${call.paged ? ', [paged](../explanation/contract.md#lists-and-searches)' : ''}`;
}

const callers: Record<Policy['who'], string> = {
  everyone: 'everyone',
  'signed-in': 'signed-in users',
  user: 'customers',
  admin: 'administrators',
  identity: "bearers of the identity service's token",
  'payment-provider': 'the payment provider',
  'upload-key': 'holders of an upload key',
};

const owners: Record<NonNullable<Policy['by']>, string> = {
  email: 'the user with this email',
  order: 'the customer of this order',
  'ordered-product': 'customers who ordered it',
  quote: 'the customer of this quote',
  key: 'its maker, or any administrator of one of theirs',
};

function describeCaller({ who, whose, by = 'email', withoutOwner }: Policy): string {
  if (whose === undefined) return callers[who];
  const own = who === 'signed-in' ? owners[by] : `${callers[who]}, for their own ${by}`;
  const admins = whose === 'own-or-admin' ? ', administrators' : '';
  return `${own}${admins}${withoutOwner ? ' (also without `email`)' : ''}`;
}
