import * as z from 'zod/mini';

export type SettingSchemas = Readonly<Record<string, z.ZodMiniType>>;
export type Values<Schemas extends SettingSchemas> = z.output<z.ZodMiniObject<Schemas>>;

export interface SettingsGroup {
  title: string;
  settings: SettingSchemas;
  /** For the project's own commands, so not documented. */
  switches?: SettingSchemas;
  checks?: readonly CrossCheck[];
}

/** A sentence per mistake; none while one of its settings is invalid alone. */
export type CrossCheck = (given: Readonly<Record<string, unknown>>) => readonly string[];

export function crossCheck<const Schemas extends SettingSchemas>(
  schemas: Schemas,
  findMistakes: (values: Values<Schemas>) => readonly string[],
): CrossCheck {
  const schema = z.object(schemas);
  return (given) => {
    const parsed = schema.safeParse(given);
    return parsed.success ? findMistakes(parsed.data) : [];
  };
}

/** All of a group, or none. */
export const setTogether = (schemas: SettingSchemas): CrossCheck =>
  crossCheck(schemas, (values) => {
    const given = Object.values(values).filter((value) => value !== undefined);
    const names = Object.keys(schemas);
    const isOne = given.length === 0 || given.length === names.length;
    return isOne ? [] : [`${names.slice(0, -1).join(', ')} and ${names.at(-1)} must be set together.`];
  });

const secrets = new WeakSet<z.ZodMiniType>();

/** @param sentence for `docs/reference/settings.md` and `.env.example`; a test compares both */
export const setting = <Schema extends z.ZodMiniType>(sentence: string, schema: Schema): Schema =>
  schema.check(z.describe(sentence));

/** `<name>_FILE` may name a file with its value (`secret-files.ts`). */
export function secret<Schema extends z.ZodMiniType>(sentence: string, schema: Schema): Schema {
  const described = setting(sentence, schema);
  secrets.add(described);
  return described;
}

export const isSecret = (schema: z.ZodMiniType): boolean => secrets.has(schema);

// Messages continue after the setting's name: "PORT must be …".

export const matching = (pattern: RegExp, message: string) => z.string().check(z.regex(pattern, message));

export const emailAddress = matching(
  /^[^\s<>@:;,()]+@[^\s<>@:;,().]+(?:\.[^\s<>@:;,().]+)+$/u,
  'must be an email address.',
);

/** More than blanks and marks that nobody sees. */
const visible = z.regex(/[^\p{Z}\p{C}\p{M}\p{DI}\u2800]/u, 'must have a character that can be seen.');

export const printable = (max: number) =>
  matching(
    new RegExp(`^\\P{Cc}{1,${max}}$`, 'u'),
    `must be 1 to ${max} characters without control characters.`,
  ).check(visible);

/** @param findMistake returns the message, or null for a valid value */
export const checked = (findMistake: (value: string) => string | null) =>
  z.string().check(({ value, issues }) => {
    const message = findMistake(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  });

/** @param error of reading the file that a setting names */
export const describeUnreadable = (error: unknown): string =>
  `must name a file that the user of the shop may read (${(error as NodeJS.ErrnoException).code}).`;

export const atLeast = (characters: number) =>
  z.string().check(z.minLength(characters, `must be ${characters} characters or longer.`), visible);

export const choice = <const Options extends readonly string[]>(options: Options) =>
  z.enum(options, `must be one of ${options.join(', ')}.`);

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}.`;
  return z.pipe(
    matching(/^[0-9]{1,9}$/, message),
    z.pipe(z.transform(Number), z.number().check(z.gte(min, message), z.lte(max, message))),
  );
}

export const milliseconds = () => wholeNumber(100, 600_000);

export const originText = () =>
  z.string().check(z.refine(isOrigin, 'must be an origin such as https://shop.example.'));

export const splitList = (text = ''): string[] => text.split(/[\s,]/).filter(Boolean);

/** As browsers write it: no path, no capitals, no default port. */
export function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === value;
}

export const percentEncoding = 'signs such as / # ? @ % in its password are percent-encoded.';

/** A raw `/`, `#` or `?` in a password ends the host early, and the rest would be printed. */
export function isServerAddress(value: string, protocols: readonly string[]): boolean {
  const url = URL.parse(value);
  if (url === null || !protocols.includes(url.protocol) || !value.startsWith(`${url.protocol}//`))
    return false;
  const rest = url.pathname + url.search + url.hash;
  return !rest.includes('@') && isPercentEncoded(url.username + url.password);
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
