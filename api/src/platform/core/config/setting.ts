import * as z from 'zod/mini';

/** The schemas of some settings by their names. Each reads a text of the environment, or its absence. */
export type SettingSchemas = Readonly<Record<string, z.ZodMiniType>>;
export type Values<Schemas extends SettingSchemas> = z.output<z.ZodMiniObject<Schemas>>;

/**
 * Settings that belong together. Each group has a file of its own, with its part of `Config` and a function that
 * reads that part from the values of its settings; `config.ts` joins the groups.
 */
export interface SettingsGroup {
  /** What stands above the group in the documents. */
  title: string;
  /** Those for people who run the shop, in the order of the documents. */
  settings: SettingSchemas;
  /** What the project's own commands set; nobody who runs the shop needs them, so no document lists them. */
  switches?: SettingSchemas;
  checks?: readonly CrossCheck[];
}

/** @returns a sentence for each thing that is wrong; none while a setting of the check is wrong by itself */
export type CrossCheck = (given: Readonly<Record<string, unknown>>) => readonly string[];

/**
 * A check of settings that belong together, of one group or of several.
 * @param schemas the settings that it looks at, and no others
 * @param findMistakes returns a whole sentence for each thing that is wrong
 */
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

const secrets = new WeakSet<z.ZodMiniType>();

/** @param sentence what it is for, as `docs/settings.md` and `.env.example` print it; a test holds both against the code */
export const setting = <Schema extends z.ZodMiniType>(sentence: string, schema: Schema): Schema =>
  schema.check(z.describe(sentence));

/** A setting that nobody may see: it may come from a file, which `<name>_FILE` names (`secret-files.ts`). */
export function secret<Schema extends z.ZodMiniType>(sentence: string, schema: Schema): Schema {
  const described = setting(sentence, schema);
  secrets.add(described);
  return described;
}

export const isSecret = (schema: z.ZodMiniType): boolean => secrets.has(schema);

// What settings are made of. The messages go on from the setting's name: "PORT must be …".

export const matching = (pattern: RegExp, message: string) => z.string().check(z.regex(pattern, message));

export const atLeast = (characters: number) =>
  z.string().check(z.minLength(characters, `must be ${characters} characters or longer.`));

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

/** The parts of a list that commas or spaces separate. */
export const splitList = (text = ''): string[] => text.split(/[\s,]/).filter(Boolean);

/** Whether a text is an origin as browsers write it: no path, no capitals, no port that goes without saying. */
export function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === value;
}

/** The advice for what `isServerAddress` refuses. */
export const percentEncoding = 'signs such as / # ? @ % in its password are percent-encoded.';

/**
 * Whether a text is a URL of these protocols whose password can be told from the rest. `/`, `#` or `?` in a password end
 * the host early: the rest of the password would be taken for a path, and printed as one.
 */
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
