import * as z from 'zod/mini';
import { fileSetting } from '#src/platform/core/config/secret-files.ts';
import { isSecret } from '#src/platform/core/config/setting.ts';
import { settingsGroups } from '#src/platform/core/config.ts';

interface Entry {
  name: string;
  /** Null unless it is a secret. */
  fileName: string | null;
  sentence: string;
  /** Empty when there is no default. */
  fallback: string;
}

const groups = settingsGroups.map(({ title, settings }) => {
  const defaults = z.object(settings).parse({});
  const entries = Object.entries(settings).map(
    ([name, schema]): Entry => ({
      name,
      fileName: isSecret(schema) ? fileSetting(name) : null,
      sentence: z.globalRegistry.get(schema)?.description ?? '',
      fallback: defaults[name] === undefined ? '' : String(defaults[name]),
    }),
  );
  return { title, entries };
});

/** The whole of `docs/reference/settings.md`. */
export const writeSettingsPage = (): string => `${PAGE_HEAD}\n\n${writeTable()}\n`;

function writeTable(): string {
  const rows = groups.flatMap(({ title, entries }) => [`| **${title}** | | |`, ...entries.map(writeRow)]);
  return ['| name | meaning | default |', '|---|---|---|', ...rows].join('\n');
}

const PAGE_HEAD = `# Settings

Every setting of the shop with its default. All are optional. The shop reads them once, at start, from the environment; it lists everything that is wrong and does not start then.

- Copy [.env.example](../../.env.example) to \`.env\`, change what you need, and start with \`node --env-file=.env scripts/start.mjs\`.
- A secret may be in a file, which the setting whose name ends in \`_FILE\` names. Line ends at the end of the file do not count. The shop refuses a file that is empty or that it cannot read.
- \`npm run reference\` writes this page and \`.env.example\` from [the code](../../api/src/platform/core/config).`;

function writeRow({ name, fileName, sentence, fallback }: Entry): string {
  const names = fileName ? `\`${name}\`, \`${fileName}\`` : `\`${name}\``;
  return `| ${names} | ${sentence} | ${fallback === '' ? 'none' : `\`${fallback}\``} |`;
}

/** The whole of `.env.example`. */
export function writeEnvExample(): string {
  const head =
    '# Every setting of the shop with its default; an empty value counts as absent. Nothing reads this file by itself:\n' +
    '# copy it to .env, change what you need, and start with `node --env-file=.env scripts/start.mjs`.\n' +
    '# A secret can be in a file of its own, which the setting whose name ends in _FILE names.';
  const blocks = groups.flatMap(({ title, entries }) => [`# --- ${title} ---`, ...entries.map(writeLines)]);
  return `${[head, ...blocks].join('\n\n')}\n`;
}

function writeLines({ name, fileName, sentence, fallback }: Entry): string {
  return [`# ${sentence}`, `${name}=${fallback}`, ...(fileName ? [`${fileName}=`] : [])].join('\n');
}
