import { expect, onTestFinished, test } from 'vitest';
import { StartError } from '#src/platform/core/start-error.ts';
import { writeDatabaseUrl } from '#test/doctor.ts';
import { newEmptyDatabase } from '#test/start-shop.ts';
import { openDatabase } from './connection.ts';
import { migrate } from './migrate.ts';

const limits = { statementTimeoutMs: 5000, connectionTimeoutMs: 5000 };

test('a statement that the database refuses is named in a sentence', async () => {
  const { connection, drop } = await newEmptyDatabase();
  onTestFinished(drop);
  const owner = openDatabase(connection, limits, () => {});
  const user = { name: `reader_${process.pid}`, password: 'reader' };
  await owner.pool.query(`create role ${user.name} login password '${user.password}'`);
  const database = openDatabase({ connectionString: writeDatabaseUrl(connection, user) }, limits, () => {});
  const refusal = await migrate(database).catch((error: unknown) => error);
  await database.close();
  await owner.pool.query(`drop role ${user.name}`);
  await owner.close();
  expect(refusal).toBeInstanceOf(StartError);
  const { message } = refusal as StartError;
  expect(message).toMatch(
    /^The database refuses a statement that sets the tables up: permission denied .+ \(42501\)\. The statement is: /,
  );
  expect(message.length).toBeLessThan(400);
});
