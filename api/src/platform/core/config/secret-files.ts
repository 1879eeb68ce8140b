import { readFileSync } from 'node:fs';
import { isSecret, type SettingSchemas } from './setting.ts';

/** The setting that names the file of a secret, as container platforms hand secrets over. */
export const fileSetting = (name: string): string => `${name}_FILE`;

export interface SecretsFromFiles {
  values: Record<string, string>;
  /** What is wrong with the file, a sentence by the setting's name. */
  mistakes: ReadonlyMap<string, string>;
}

/**
 * Reads the secrets whose files are named. Line ends at the end of a file are no part of its secret: editors and
 * `echo` leave them there. An empty file is refused and not taken for an absent setting, which would quietly open
 * the embedded database in place of the shop's own, or the card sandbox in place of Stripe.
 * @param given the environment without empty values
 */
export function readSecretFiles(
  schemas: SettingSchemas,
  given: Readonly<Record<string, unknown>>,
): SecretsFromFiles {
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

/** @returns the file without line ends at its end; null when it cannot be read */
function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
  } catch {
    return null;
  }
}
