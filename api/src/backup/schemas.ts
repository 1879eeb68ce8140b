import { QUEUE_SCHEMA } from '#src/platform/jobs/run-jobs.ts';

/** The schemas whose rows make the shop; the queue of its regular work is made anew by each start. */
export const rowSchemas = ['public', 'identity'] as const;

/** All schemas that a shop has in its database. */
export const shopSchemas = [...rowSchemas, QUEUE_SCHEMA] as const;
