/**
 * The environment for PostgreSQL's programs. Nothing of the person's own: settings such as PGDATA or a language would
 * change what PostgreSQL does and says.
 */
export function createPostgresEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMPDIR } = process.env;
  const system = Object.entries({ PATH, SystemRoot, TEMP, TMPDIR }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...Object.fromEntries(system), LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };
}
