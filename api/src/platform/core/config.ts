import * as z from 'zod/mini';
import { database, readDatabase } from './config/database.ts';
import { firebase, readFirebase } from './config/firebase.ts';
import { google, readGoogle } from './config/google.ts';
import { identity, readIdentity } from './config/identity.ts';
import { invoices, readInvoices } from './config/invoices.ts';
import { limits, readLimits } from './config/limits.ts';
import { mail, readMail } from './config/mail.ts';
import { payments, readPayments } from './config/payments.ts';
import { pictures, readPictures } from './config/pictures.ts';
import { readSecretFiles } from './config/secret-files.ts';
import { readServer, server } from './config/server.ts';
import type { SettingsGroup } from './config/setting.ts';
import { readShop, shop } from './config/shop.ts';
import { readWatch, watch } from './config/watch.ts';
import { StartError } from './start-error.ts';

export type Config = ReturnType<typeof readConfig>;

export const settingsGroups: readonly SettingsGroup[] = [
  server,
  shop,
  database,
  identity,
  google,
  firebase,
  payments,
  invoices,
  pictures,
  mail,
  limits,
  watch,
];

const environment = z.object({
  ...server.settings,
  ...server.switches,
  ...shop.settings,
  ...database.settings,
  ...identity.settings,
  ...google.settings,
  ...firebase.settings,
  ...payments.settings,
  ...payments.switches,
  ...invoices.settings,
  ...pictures.settings,
  ...mail.settings,
  ...limits.settings,
  ...watch.settings,
});

export class ConfigError extends StartError {
  readonly sentences: readonly string[];
  constructor(sentences: readonly string[]) {
    super(['The settings are wrong:', ...sentences].join('\n- '));
    this.sentences = sentences;
  }
}

/**
 * The only reader of the environment. Includes secret files. An empty value counts as absent.
 * @throws ConfigError with every mistake
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const values = parse(env);
  const shop = readShop(values);
  return {
    shop,
    /** The code of ISO 4217, in capitals. */
    currency: values.SHOP_CURRENCY,
    ...readServer(values),
    ...readDatabase(values),
    ...readIdentity(values),
    ...readGoogle(values),
    firebase: readFirebase(values),
    ...readPayments(values),
    ...readInvoices(values, shop),
    ...readPictures(values),
    ...readMail(values, values.SHOP_NAME),
    ...readLimits(values),
    ...readWatch(values),
  };
}

function parse(env: NodeJS.ProcessEnv): z.output<typeof environment> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const files = readSecretFiles(environment.shape, present);
  // A setting with a bad file is neither valid nor absent: null skips its checks.
  const unreadable = Object.fromEntries([...files.mistakes.keys()].map((name) => [name, null]));
  const given = { ...present, ...files.values, ...unreadable };

  const parsed = environment.safeParse(given);
  const mistakes = [
    ...files.mistakes.values(),
    ...(parsed.error?.issues ?? [])
      .filter(({ path: [name] }) => !files.mistakes.has(String(name)))
      .map(({ path: [name], message }) => `${String(name)} ${message}`),
    ...settingsGroups.flatMap(({ checks = [] }) => checks.flatMap((check) => check(given))),
  ];
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes);
  return parsed.data;
}
