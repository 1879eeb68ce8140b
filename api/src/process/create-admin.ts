import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { MIN_ADMIN_PASSWORD } from '@parts-forge/contract/calls/bounds';
import { createAdmin } from '#src/identity/administrators.ts';
import { type Config, readConfig } from '#src/platform/core/config.ts';
import { createLog } from '#src/platform/core/log.ts';
import { OPERATOR, requestContext } from '#src/platform/core/request-context.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { createServices } from '#src/services.ts';
import { type ConnectedDatabase, connectBesideShop } from './connect-database.ts';
import { say } from './say.ts';

// `npm run create-admin -- <email> [name]`, in a running or stopped shop.
const [email, name = 'Administrator'] = process.argv.slice(2);

process.exitCode = await run().catch((error: unknown) => {
  if (!(error instanceof StartError)) throw error;
  say(error.message);
  return 1;
});

async function run(): Promise<number> {
  if (!email) {
    say('Usage: npm run create-admin -- <email> [name], with the password on standard input or when asked.');
    return 1;
  }
  const config = readConfig(process.env);
  const password = config.firebase ? null : await readPassword();
  const connection = await connectBesideShop(config, say);
  try {
    const made = await make(config, connection, { email, name, password });
    say(`${made.email} is an administrator now${made.created ? '' : ' (and was known before)'}.`);
    if (config.firebase)
      say('The administrator is the next person who signs in at Firebase with this proven address.');
    return 0;
  } finally {
    await connection.close();
  }
}

async function make(
  config: Config,
  { database }: ConnectedDatabase,
  given: Parameters<typeof createAdmin>[1],
) {
  await migrate(database);
  const log = createLog('error');
  const services = await createServices(config, database, log);
  try {
    return await requestContext.run({ requestId: randomUUID(), actor: OPERATOR }, () =>
      createAdmin(services, given),
    );
  } finally {
    await services.close();
  }
}

async function readPassword(): Promise<string> {
  return process.stdin.isTTY ? askWithoutEcho() : readFirstLine();
}

async function readFirstLine(): Promise<string> {
  const [line = ''] = (await readAll(process.stdin)).split(/\r?\n/);
  return line;
}

async function askWithoutEcho(): Promise<string> {
  process.stderr.write(`Password (${MIN_ADMIN_PASSWORD} characters or more): `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Ctrl-C at the prompt.
  terminal.once('SIGINT', () => process.exit(130));
  const password = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return password;
}
