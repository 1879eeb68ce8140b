import type { Call } from '@parts-forge/contract/call';
import { calls } from '@parts-forge/contract/calls';
import type * as z from 'zod/mini';
import { formatPath } from './calls-page.ts';
import { entities, findEntity } from './entities.ts';
import { describeType, isCut, listFields, pagingNames, type Shape, toShape } from './shapes.ts';
import { linkToFile } from './source-links.ts';

/** The whole of `docs/reference/fields.md`. */
export function writeFieldsPage(): string {
  const inputs = (Object.values(calls) as Call[]).flatMap((call) => [
    ...writeHeaders(call),
    ...writeInput(call, 'query', call.query),
    ...writeInput(call, 'body', call.body),
  ]);
  const answers = (Object.values(calls) as Call[]).flatMap((call) => {
    const shape = toShape(call.answer, 'output');
    return isCut(shape) ? [`### ${call.method} ${formatPath(call)}, answer\n\n${writeTable(shape)}`] : [];
  });
  const objects = Object.entries(entities).map(
    ([name, { schema, source }]) =>
      `### ${name[0]?.toUpperCase()}${name.slice(1)}\n\nSource: ${linkToFile(source)}\n\n${writeTable(toShape(schema, 'output'))}`,
  );
  return `${[PAGE_HEAD, '## What calls take', ...inputs, '## What calls answer', ...objects, ...answers].join('\n\n')}\n`;
}

const PAGE_HEAD = `# Fields

Look up the type and bounds of a field. [Calls](calls.md) says what each call does; [contract](../explanation/contract.md#texts) says how texts are cleaned and counted.

- Calls refuse unknown fields and wrong types; they never convert one. Calls that need an access token refuse unknown query parameters, others ignore them.
- Lists take \`limit\`, from 1 to 100, and \`after\`, the cursor of the page before.
- A field that ends in \`?\` is optional.
- \`npm run reference\` writes this page from the schemas that check the calls.`;

function writeHeaders(call: Call): string[] {
  const rows = Object.entries(call.headers ?? {}).map(
    ([name, { required, description }]) => `| \`${name}${required ? '' : '?'}\` | ${description} |`,
  );
  if (rows.length === 0) return [];
  return [
    `### ${call.method} ${formatPath(call)}, headers\n\n${['| header | |', '|---|---|', ...rows].join('\n')}`,
  ];
}

function writeInput(call: Call, part: string, schema: z.ZodMiniType | undefined): string[] {
  if (!schema) return [];
  const shape = toShape(schema, 'input');
  if (listRows(shape).length === 0) return [];
  return [`### ${call.method} ${formatPath(call)}, ${part}\n\n${writeTable(shape)}`];
}

function writeTable(shape: Shape): string {
  const rows = listRows(shape).map(([name, type]) => `| \`${name}\` | ${type} |`);
  return ['| field | |', '|---|---|', ...rows].join('\n');
}

function listRows(shape: Shape, prefix = ''): [name: string, text: string][] {
  const fields = listFields(shape).filter(([name]) => !pagingNames.has(name));
  return fields.flatMap(([name, field, required]): [string, string][] => {
    const path = `${prefix}${name}`;
    const own: [string, string] = [`${path}${required ? '' : '?'}`, describeField(field)];
    const inner = field.items ?? field;
    if (findEntity(inner) !== null) return [own];
    return [own, ...listRows(inner, `${path}.`)];
  });
}

function describeField(field: Shape): string {
  const { description } = field;
  const type = describeType(field);
  return description === undefined ? type : `${type}. ${description}`;
}
