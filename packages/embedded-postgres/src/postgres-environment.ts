/** Omits inherited settings such as PGDATA. */
export function createPostgresEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMPDIR } = process.env;
  const system = Object.entries({ PATH, SystemRoot, TEMP, TMPDIR }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...Object.fromEntries(system), LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };
}
