import { type ProblemCode, problems } from '@parts-forge/contract/calls/problems';
import { requiredMembers } from '#src/platform/http/docs/refusals.ts';

/** The whole of `docs/reference/refusals.md`. */
export function writeRefusalsPage(): string {
  const codes = Object.keys(problems) as ProblemCode[];
  const rows = codes.map((code) => {
    const { status, title } = problems[code];
    const member = requiredMembers[code];
    return `| \`${code}\` | ${status} | ${title} | ${member ? `\`${member}\`` : ''} |`;
  });
  return `${[PAGE_HEAD, ['| code | status | title | also has |', '|---|---|---|---|', ...rows].join('\n')].join('\n\n')}\n`;
}

const PAGE_HEAD = `# Refusals

Look up a code that the shop answered. Every refusal is \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with \`type\`, \`title\`, \`status\` and \`detail\`. Its \`type\` is \`urn:parts-forge:problem:\` and the code. [Contract](../explanation/contract.md#refusals) has the order in which a call refuses.

- \`errors\` is \`[{ path, message }]\`; \`quantity\` is pieces, \`price\` is of one piece and \`total\` of all, in the shop's currency.
- 401 comes with \`WWW-Authenticate\`, 429 and 503 with \`Retry-After\`, 405 with \`Allow\`.
- Titles and details are for people and may change; codes stay.
- \`npm run reference\` writes this page from [the list of problems](../../contract/src/calls/problems.ts).`;
