// For `npm run migration`. A plain object, as drizzle-kit, which has a type for it, is not installed with the project.
export default {
  dialect: 'postgresql',
  schema: ['./src/**/schema.ts', '../packages/card-sandbox/src/schema.ts'],
  out: './migrations',
};
