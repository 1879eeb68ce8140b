import { readFileSync } from 'node:fs';
import { isSecret, type SettingSchemas } from './setting.ts';

/** Container platforms pass secrets as files. */
export const fileSetting = (name: string): string => `${name}_FILE`;

/**
 * Ignores trailing line ends, which editors and `echo` add. An empty file is a mistake: as an absent
 * setting it would silently open the embedded database or the card sandbox.
 */
export function readSecretFiles(schemas: SettingSchemas, given: Readonly<Record<string, unknown>>) {
  const values: Record<string, string> = {};
  const mistakes = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const file = given[fileSetting(name)];
    if (!isSecret(schema) || typeof file !== 'string') continue;
    if (given[name] !== undefined) {
      mistakes.set(name, `${name} and ${fileSetting(name)} exclude each other.`);
      continue;
    }
    const text = readText(file);
    if (text) values[name] = text;
    else mistakes.set(name, `${fileSetting(name)}: ${file} ${text === '' ? 'is empty' : 'cannot be read'}.`);
  }
  return { values, mistakes };
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
  } catch {
    return null;
  }
}
