// Untyped, as drizzle-kit is not installed with the project.
export default {
  dialect: 'postgresql',
  schema: ['./src/**/schema.ts', '../packages/card-sandbox/src/schema.ts'],
  out: './migrations',
};
