import { QUEUE_SCHEMA } from '#src/platform/jobs/run-jobs.ts';

/** Each start recreates the job queue's schema. */
export const rowSchemas = ['public', 'identity'] as const;

export const shopSchemas = [...rowSchemas, QUEUE_SCHEMA] as const;
